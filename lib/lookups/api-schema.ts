import * as z from "zod/mini";
import { filter, listQuery } from "@/lib/core/api/list-query";
import { moment, namedItem } from "@/lib/core/api/response";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { byKey, keysOf } from "@/lib/core/objects";
import type { LookupItem, LookupValues } from "@/lib/core/records/lookup-item";
import {
  columnsOf,
  type Lookup,
  type LookupKey,
  lookupKeys,
  lookups,
  USER_STATUSES,
} from "@/lib/lookups/registry";
import { formTypeFlags } from "@/lib/lookups/types";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

/** A form type as returned with its forms and as a choice. */
export const formType = z.extend(
  namedItem,
  byKey(keysOf(formTypeFlags), () => z.boolean()),
);

/** The properties of a service code that the rules need. */
export const serviceCode = z.object({
  id: id(),
  code: z.string(),
  description: z.string(),
  hotelShelter: z.boolean(),
  videoconferencing: z.boolean(),
  canBeMagistrate: z.boolean(),
  onCallMainType: z.boolean(),
  hasReferral: z.boolean(),
});
export type ServiceCode = z.output<typeof serviceCode>;

/**
 * Returns the body of `POST /api/{collection}` and `PUT /api/{collection}/{id}`, keyed by the singular name.
 */
export const lookupBody = (key: LookupKey): z.core.$ZodType<Record<string, LookupValues>> => {
  const { singular, schema }: Lookup = lookups[key];
  return z.object({ [singular]: z.extend(schema, EXTRA_INPUT[key] ?? {}) });
};

const yesOrNo = z.optional(z.boolean({ error: "must be true or false" }));

/** The values a body may have in addition to a record's fields. A missing value does not change. */
const EXTRA_INPUT: Partial<Record<LookupKey, z.core.$ZodShape>> = {
  /** True if a flag may be taken away although forms have values there. It is not stored. */
  form_types: { confirmed: yesOrNo },
  service_codes: { confirmed: yesOrNo },
  users: { active: yesOrNo },
};

/** The path parameter that names a settings list. */
export const listParams = z.object({ list: z.enum(lookupKeys) });

/** The values a response has in addition to a record's id and fields. */
const EXTRA_OUTPUT: Partial<Record<LookupKey, z.core.$ZodShape>> = {
  users: {
    fullName: z.string(),
    role: namedItem,
    lastLoginAt: z.nullable(moment),
    activatedAt: z.nullable(moment),
    active: z.boolean(),
    twoStep: z.boolean(),
    status: z.enum(USER_STATUSES),
  },
};

/** Returns the schema of a record as returned. */
export const lookupItem = (key: LookupKey): z.ZodMiniType<LookupItem> =>
  z.object({ ...responseOf<z.core.$ZodShape>(lookups[key].schema).shape, ...EXTRA_OUTPUT[key], id: id() });

/** Returns the query of `GET /api/{collection}`: the columns to sort by, the filter, and the default sort. */
export function lookupQuery(key: LookupKey) {
  const { defaultSort, filter: by }: Lookup = lookups[key];
  const columns = columnsOf(key).map((column) => column.key);
  const filters: z.core.$ZodShape = by ? { [by.key]: filter(z.enum(by.values)) } : {};
  return listQuery(columns, filters, { sort: defaultSort });
}
