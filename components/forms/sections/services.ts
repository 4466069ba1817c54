import { group, type SectionSpec } from "@/components/forms/fields";
import type { ServiceRow } from "@/lib/forms/sections/services";

type Video = NonNullable<ServiceRow["videoconferencingEntry"]>;
type Hotel = NonNullable<ServiceRow["hotelShelterEntry"]>;

export const VIDEOCONFERENCING: SectionSpec = {
  groups: [
    group<Video>({
      path: "",
      legend: "Videoconferencing",
      fields: [
        { name: "emergencyPfaGranted", label: "Emergency PFA Granted", kind: "check" },
        {
          name: "reason",
          label: "Reason Emergency PFA Not Granted",
          kind: "area",
          shows: (entry) => !entry.emergencyPfaGranted,
        },
      ],
    }),
  ],
};

export const HOTEL_SHELTER: SectionSpec = {
  groups: [
    group<Hotel>({
      path: "",
      legend: "Hotel Shelter",
      columns: 3,
      fields: [
        { name: "metNeeds", label: "Met Needs", kind: "check", wide: true },
        { name: "childrenUnderThirteen", label: "Children Under 13", kind: "count" },
        { name: "childrenThirteenToSeventeen", label: "Children 13 to 17", kind: "count" },
        { name: "adults", label: "Adults", kind: "count" },
        { name: "reason", label: "Reason", kind: "area" },
      ],
    }),
  ],
};
