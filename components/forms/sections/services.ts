import { section } from "@/components/record/section";
import { recordFacts } from "@/lib/core/fields/facts";
import { services } from "@/lib/forms/sections/services";

/** The path of the rows of services. */
export const ROWS = "form.serviceEntry.serviceProvidedEntries";

export const VIDEOCONFERENCING = section(
  `${ROWS}.videoconferencingEntry`,
  services.videoconferencing,
  ({ fields }) => [
    fields(["emergencyPfaGranted", "reason"], {
      legend: recordFacts(services.videoconferencing).label,
    }),
  ],
  // Unlike other fields, a typed reason stays on the screen while the box is ticked. The save clears it.
  { clear: (entry) => entry },
);

export const HOTEL_SHELTER = section(`${ROWS}.hotelShelterEntry`, services.hotelShelter, ({ fields }) => [
  fields(["metNeeds", "childrenUnderThirteen", "childrenThirteenToSeventeen", "adults", "reason"], {
    legend: recordFacts(services.hotelShelter).label,
    columns: "row",
  }),
]);
