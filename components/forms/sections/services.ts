import { section } from "@/components/record/section";
import { services } from "@/lib/forms/sections/services";

export const VIDEOCONFERENCING = section(services.videoconferencing, ({ fields }) => [
  fields(["emergencyPfaGranted", "reason"], {
    legend: "Videoconferencing",
    when: { reason: (entry) => !entry.emergencyPfaGranted },
  }),
]);

export const HOTEL_SHELTER = section(services.hotelShelter, ({ fields }) => [
  fields(["metNeeds", "childrenUnderThirteen", "childrenThirteenToSeventeen", "adults", "reason"], {
    legend: "Hotel Shelter",
    columns: "row",
  }),
]);
