/** The table badge. */
export type Badge = {
  /** Selects the shape and color; unknown codes are neutral. */
  status_code: string;
  status_title: string;
  description: string;
  /** The visible word. */
  display_status: string;
};

const looks = {
  success: { className: "bg-success-soft text-success", path: "M3 8.5l3.5 3.5L13 4.5" },
  warning: { className: "bg-warning-soft text-warning", path: "M8 2.5v7M8 12.5v.5" },
  danger: { className: "bg-danger-soft text-danger", path: "M3.5 3.5l9 9M12.5 3.5l-9 9" },
  neutral: { className: "bg-subtle text-ink", path: "M3 8h10" },
};

/** A badge with a word and a shape, never color alone; renders nothing without a word. */
export function StatusBadge({ badge }: { badge: Badge }) {
  if (!badge.display_status) return null;
  const { className, path } = new Map(Object.entries(looks)).get(badge.status_code) ?? looks.neutral;
  const title = [badge.status_title, badge.description].filter(Boolean).join(": ");
  return (
    <span title={title} className={`badge ${className}`}>
      <svg aria-hidden="true" viewBox="0 0 16 16" className="icon">
        <path d={path} />
      </svg>
      {badge.display_status}
    </span>
  );
}
