import type { ReactNode } from "react";

/**
 * A 24-unit outline icon, as tall as the text around it and hidden from assistive technology. Its drawing style is in
 * controls.css, because a list has a hundred icons.
 */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="icon">
      {children}
    </svg>
  );
}

const icon = (path: string) => () => (
  <Icon>
    <path d={path} />
  </Icon>
);

export const PlusIcon = icon("M12 5v14M5 12h14");
export const PencilIcon = icon("M4 20h4L19 9l-4-4L4 16zM13 7l4 4");
export const CopyIcon = icon("M8 8h12v12H8zM16 8V4H4v12h4");
export const TrashIcon = icon("M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5");
export const CheckIcon = icon("M5 12.5l4.5 4.5L19 7.5");
export const UndoIcon = icon("M4 9h10a5 5 0 0 1 0 10h-4M8 5L4 9l4 4");
export const SearchIcon = icon("M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20");
export const CalendarIcon = icon("M5 6h14v14H5zM5 10h14M9 3v4M15 3v4");
export const CloseIcon = icon("M6 6l12 12M18 6L6 18");
export const HideIcon = icon(
  "M3 3l18 18M10 5.3A9.6 9.6 0 0 1 12 5c5 0 8.5 4 10 7-.6 1.2-1.5 2.6-2.8 3.8M6.5 6.8C4.3 8.2 2.8 10.3 2 12c1.5 3 5 7 10 7 1.8 0 3.4-.5 4.8-1.3M9.9 9.9a3 3 0 0 0 4.2 4.2",
);
export const ListIcon = icon("M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1");
export const ClockIcon = icon("M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2");
export const SurveyIcon = icon("M5 4h14v16H5zM8 9l1.5 1.5L12 8M8 15l1.5 1.5L12 14M14.5 9.5H16M14.5 15.5H16");
export const GroupIcon = icon(
  "M12 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM7 19a5 5 0 0 1 10 0M5 8.5a2 2 0 1 0 .1 0M19 8.5a2 2 0 1 0 .1 0M2.5 17a3.5 3.5 0 0 1 3-2M21.5 17a3.5 3.5 0 0 0-3-2",
);
export const MoreIcon = icon("M12 5.5v.1M12 12v.1M12 18.5v.1");
export const MenuIcon = icon("M4 6h16M4 12h16M4 18h16");
export const ChartIcon = icon("M4 20h16M7 16v-5M12 16V6M17 16v-8");
export const GearIcon = icon("M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5");
export const FormIcon = icon("M6 3h9l4 4v14H6zM9 11h7M9 15h7M9 7h3");
export const PhoneIcon = icon(
  "M6 3h3.5l1.5 5-2.2 1.6a12 12 0 0 0 5.6 5.6L16 13l5 1.5V18a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z",
);
export const HomeIcon = icon("M4 11l8-7 8 7M6 9.5V20h4.5v-6h3v6H18V9.5");
export const ShelterIcon = icon(
  "M3 20v-9M3 17h18M21 20v-5a4 4 0 0 0-4-4h-7v6M6.5 14a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
);
export const PeopleIcon = icon(
  "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5a6.5 6.5 0 0 1 3.5 5.5",
);
export const LockIcon = icon("M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3");
export const PersonIcon = icon("M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0");
export const KeyboardIcon = icon("M3 6h18v12H3zM7 10h.1M10.4 10h.1M13.7 10h.1M17 10h.1M8 14h8");
export const KeyIcon = icon("M8 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 13l8-8M16 8l3 3");
export const AlertIcon = icon("M12 3.5L2.5 20h19zM12 10v4.5M12 17.2v.1");
export const InfoIcon = icon("M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 7.8v.1");
export const HelpIcon = icon(
  "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.8v.1",
);
export const LogoutIcon = icon("M14 4H6v16h8M10 12h11M17 8l4 4-4 4");
export const PrintIcon = icon("M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z");
export const SunIcon = icon(
  "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
);
export const MoonIcon = icon("M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z");

const chevrons = { up: "M6 15l6-6 6 6", down: "M6 9l6 6 6-6", left: "M15 6l-6 6 6 6", right: "M9 6l6 6-6 6" };

export function ChevronIcon({ direction }: { direction: keyof typeof chevrons }) {
  return (
    <Icon>
      <path d={chevrons[direction]} />
    </Icon>
  );
}

/** The sort direction of a column; null if the column can be sorted but is not. */
export function SortIcon({ order }: { order: "asc" | "desc" | null }) {
  return (
    <Icon>
      <path d="M8 10l4-5 4 5" opacity={order === "desc" ? 0.25 : order ? 1 : 0.5} />
      <path d="M8 14l4 5 4-5" opacity={order === "asc" ? 0.25 : order ? 1 : 0.5} />
    </Icon>
  );
}
