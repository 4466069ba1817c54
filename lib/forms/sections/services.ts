import type * as z from "zod/mini";
import { blanksOf } from "@/lib/core/fields/shapes";
import {
  count,
  entries,
  entry,
  flag,
  longText,
  lookup,
  minutes,
  optionalInPut,
  text,
} from "@/lib/core/fields/vocabulary";
import { REQUIRED } from "@/lib/core/fields/words";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import type { FormTypeFlags } from "@/lib/lookups/types";

const videoconferencing = entry("Videoconferencing", "videoconferencing_entries", {
  emergencyPfaGranted: flag("Emergency PFA Granted", {
    inErrorReports: true,
    summary: "emergency PFA granted",
    safety: true,
  }),
  reason: longText("Reason Emergency PFA Not Granted", {
    dependsOn: { boxes: ["emergencyPfaGranted"], unticked: true },
  }),
});

const hotelShelter = entry("Hotel Shelter", "hotel_shelter_entries", {
  metNeeds: flag("Needs Met", { inErrorReports: true }),
  childrenUnderThirteen: count("Children Under 13"),
  childrenThirteenToSeventeen: count("Children 13 to 17"),
  adults: count("Adults"),
  reason: longText("Reason"),
});

const provided = entries(
  "Services",
  "service_provided_entries",
  {
    serviceCodeId: optionalInPut(
      lookup("service_codes", "Code", { required: true, inErrorReports: true, entered: false }),
    ),
    magisterial: flag("Magisterial", { inErrorReports: true, entered: false }),
    minutes: minutes("Minutes", { inErrorReports: true }),
    referrals: longText("Referral"),
    videoconferencingEntry: videoconferencing,
    hotelShelterEntry: hotelShelter,
  },
  {
    rule(row, context) {
      if (row.serviceCodeId === undefined && row.id === undefined && !row._destroy)
        context.addIssue({ code: "custom", path: ["serviceCodeId"], message: REQUIRED });
    },
  },
);

const schema = entry("Services", "service_entries", {
  otherService: text("Other Service"),
  otherServiceMinutes: minutes("Other Service Minutes", {
    hint: "Not part of the total above.",
    inErrorReports: true,
  }),
  serviceProvidedEntries: provided,
});

export type ServiceEntry = NonNullable<z.output<typeof schema>>;
export type ServiceRow = NonNullable<z.output<typeof provided>>[number];
type Counted = { minutes: number | null; serviceCodeId?: number };
/**
 * The parts of the section with service minutes. On the screen, minutes may also be text that cannot be parsed.
 */
export type Timed = {
  otherServiceMinutes?: unknown;
  serviceProvidedEntries?: readonly { minutes?: unknown }[];
};
type CodeFlags = Pick<ServiceCode, "hotelShelter" | "videoconferencing" | "canBeMagistrate">;

/** Returns the code with the flags of the details that a stored row has, even if the code no longer has them. */
const withKeptDetails = <Code extends CodeFlags>(
  code: Code,
  {
    hotelShelterEntry,
    videoconferencingEntry,
  }: Pick<ServiceRow, "hotelShelterEntry" | "videoconferencingEntry">,
): Code => ({
  ...code,
  hotelShelter: code.hotelShelter || Boolean(hotelShelterEntry),
  videoconferencing: code.videoconferencing || Boolean(videoconferencingEntry),
});

/** True if the row has hotel shelter details, which the code's flag alone decides. */
const showsHotelShelter = (code: Pick<CodeFlags, "hotelShelter"> | undefined) => code?.hotelShelter ?? false;
/** True if the row has videoconferencing details: the code's flag is set and minutes are above zero. */
const showsVideoconferencing = (
  code: Pick<CodeFlags, "videoconferencing"> | undefined,
  spent: number | null,
) => (code?.videoconferencing ?? false) && isSpent(spent);
/** True if minutes count: a number above zero. */
const isSpent = (spent: unknown): boolean => typeof spent === "number" && spent > 0;

/**
 * Returns a form's total service minutes. In magisterial mode, only codes that can be used before a magistrate count.
 * Other Service is not included.
 */
function totalMinutes(
  rows: readonly Counted[],
  codes: ReadonlyMap<number, CodeFlags>,
  magisterialMode: boolean,
): number {
  return rows
    .filter((entry) => isSpent(entry.minutes))
    .filter((entry) => !magisterialMode || codes.get(entry.serviceCodeId ?? 0)?.canBeMagistrate)
    .reduce((sum, entry) => sum + (entry.minutes ?? 0), 0);
}

/** True if neither the table nor Other Service has any minutes. Such a form can still be saved. */
const hasNoTime = ({ otherServiceMinutes, serviceProvidedEntries = [] }: Timed): boolean =>
  ![otherServiceMinutes, ...serviceProvidedEntries.map(({ minutes }) => minutes)].some(isSpent);

/** Service entries: minutes per service code, with the details that some codes require. */
export const services = {
  shows: (type: FormTypeFlags) => type.serviceEntry,
  schema,
  provided,
  withKeptDetails,
  showsHotelShelter,
  showsVideoconferencing,
  isSpent,
  totalMinutes,
  hasNoTime,
  videoconferencing,
  hotelShelter,
  rowDefaults: (serviceCodeId: number) => ({
    serviceCodeId,
    magisterial: false,
    minutes: 0,
    referrals: "",
    videoconferencingEntry: blanksOf(videoconferencing),
    hotelShelterEntry: blanksOf(hotelShelter),
  }),
  /** Removes rows with blank or zero minutes, and keeps details only on rows that have them. */
  clear: (entry: ServiceEntry, codes: ReadonlyMap<number, CodeFlags>): ServiceEntry => ({
    ...entry,
    serviceProvidedEntries: entry.serviceProvidedEntries
      ?.filter((provided) => !provided._destroy && isSpent(provided.minutes))
      .map((provided) => clearRow(provided, codes.get(provided.serviceCodeId ?? 0))),
  }),
};

function clearRow(provided: ServiceRow, code: CodeFlags | undefined): ServiceRow {
  const { videoconferencingEntry: video, hotelShelterEntry: hotel } = provided;
  return {
    ...provided,
    videoconferencingEntry: (showsVideoconferencing(code, provided.minutes) && video) || null,
    hotelShelterEntry: showsHotelShelter(code) ? hotel : null,
  };
}
