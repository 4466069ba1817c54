import * as z from "zod/mini";
import { fieldFacts } from "@/lib/core/fields/facts";
import { converted } from "@/lib/core/fields/validation";
import { lookups, record, text } from "@/lib/core/fields/vocabulary";
import { NOT_A_DATE, REQUIRED } from "@/lib/core/fields/words";
import { addDays, EARLIEST_DAY, parseDate, today } from "@/lib/core/text/format";

// Tokens for programs.

const MOST_DAYS = 366;
const MOST_ADDRESSES = 20;
/** The length of an IPv6 subnet: eight groups of four digits, and the bits. */
const ADDRESS_MAX = 43;

/** Returns the latest possible last day of a new token, as `YYYY-MM-DD`. */
export const latestEnd = (): string => addDays(today(), MOST_DAYS);

const end = converted(z.string({ error: REQUIRED }), (value, refuse) => {
  const day = parseDate(value);
  if (day !== null && day >= today() && day <= latestEnd()) return day;
  return refuse(day === null ? NOT_A_DATE : "must be within a year of today");
});
fieldFacts.add(end, {
  kind: "day",
  label: "Ends On",
  earliest: EARLIEST_DAY,
  latest: latestEnd,
  required: true,
  sensitive: false,
  inErrorReports: true,
  entered: true,
});

const address = z.string().check(z.trim(), z.minLength(1), z.maxLength(ADDRESS_MAX));
const addresses = z._default(
  z.array(address, { error: "must be a list of addresses" }).check(z.maxLength(MOST_ADDRESSES)),
  [],
);

export const tokenSchema = record("API Token", "api_tokens", {
  name: text("Name", { required: true }),
  /** The last day on which the token works. */
  expiresOn: end,
  permissionIds: lookups("permissions", "Permissions", { required: true }),
  /** Addresses and subnets, such as `10.20.0.0/16`; with none, the token works from any address. */
  addresses,
});
export type TokenInput = z.output<typeof tokenSchema>;
