import * as z from "zod/mini";
import { hold } from "@/lib/clients/hold-schema";
import { filter, listPage, listQuery } from "@/lib/core/api/list-query";
import { outcomes } from "@/lib/core/api/response";
import { distinctIds, id } from "@/lib/core/fields/validation";
import { PURGE_MAX } from "@/lib/retention/limits";

const YEARS_MAX = 100;

const setting = z.object({
  /** The number of years without activity after which a client is due; null means never. */
  years: z.nullable(z.int().check(z.minimum(1), z.maximum(YEARS_MAX))),
  /** True if clients that have been due for `LISTED_DAYS` are purged each night. */
  nightly: z.boolean(),
});

/** The body of `PUT /api/retention`. */
export const retentionBody = z.object({
  retention: setting.check(
    z.refine(({ years, nightly }) => years !== null || !nightly, {
      path: ["nightly"],
      error: "requires a number of years",
    }),
  ),
});
export type RetentionInput = z.output<typeof retentionBody>["retention"];

/** The last day on which a backup may still contain data removed today. */
const backupsUntil = z.iso.date();
export const retentionResponse = z.object({ retention: z.extend(setting, { backupsUntil }) });
export type Retention = z.output<typeof retentionResponse>["retention"];

const retainedClient = z.object({
  id: id(),
  /** `Client 5` for users who may not see clients. */
  name: z.string(),
  advocate: z.string(),
  lastActivityOn: z.iso.date(),
  forms: z.int(),
  /** The reason is null for users who may not see clients. */
  hold: z.nullable(z.extend(hold, { reason: z.nullable(z.string()) })),
});
export type RetainedClient = z.output<typeof retainedClient>;
export const retainedClients = listPage("clients", retainedClient);

/**
 * `filters[held]=true`: the clients on legal hold, due or not. Otherwise those that are due and not on hold.
 */
const heldFilter = z.pipe(
  filter(z.enum(["true", "false"])),
  z.transform((value) => value === "true"),
);

export const retainedClientsQuery = listQuery(["name"], { held: heldFilter });

/** The body of `POST /api/retention/purge`. */
export const purgeBody = z.object({ ids: distinctIds(PURGE_MAX) });
export const purgeResponse = z.extend(outcomes, { backupsUntil });
export type PurgeResponse = z.output<typeof purgeResponse>;
