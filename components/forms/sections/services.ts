import { section } from "@/components/record/section";
import { recordFacts } from "@/lib/core/fields/facts";
import { services } from "@/lib/forms/sections/services";

export const VIDEOCONFERENCING = section(services.videoconferencing, ({ fields }) => [
  fields(["emergencyPfaGranted", "reason"], {
    legend: recordFacts(services.videoconferencing).label,
  }),
]);

export const HOTEL_SHELTER = section(services.hotelShelter, ({ fields }) => [
  fields(["metNeeds", "childrenUnderThirteen", "childrenThirteenToSeventeen", "adults", "reason"], {
    legend: recordFacts(services.hotelShelter).label,
    columns: "row",
  }),
]);
