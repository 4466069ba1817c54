import * as z from "zod/mini";
import { filter, idFilter } from "@/lib/core/api/list-query";
import { anyDate } from "@/lib/core/fields/validation";

/** The last value that a client's forms report in a field, which `path` names in a form. */
export const lastValue = z.object({ path: z.string(), value: z.unknown(), serviceOn: z.iso.date() });
export type LastValue = z.output<typeof lastValue>;

/** The first and last day of service, both inclusive. A missing bound means no limit. */
export const printQuery = z.object({ from: z.optional(anyDate()), to: z.optional(anyDate()) });
export type PrintQuery = z.output<typeof printQuery>;

/** The number of forms that a client's page shows at first, and that each request for older ones adds. */
export const THREAD_STEP = 50;

/** The query of a client's page: a form type, a year, and the number of forms to show. */
export const threadQuery = z.object({
  type: idFilter(),
  year: filter(z.coerce.number().check(z.int(), z.minimum(1900), z.maximum(9999))),
  shown: z.pipe(
    filter(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000))),
    z.transform((shown) => shown ?? THREAD_STEP),
  ),
});
export type ThreadQuery = z.output<typeof threadQuery>;
