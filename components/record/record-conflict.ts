import { z } from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { describeIn } from "@/components/record/field-at";
import { askedValues, valuesOf } from "@/components/record/record-text";
import { type Conflict, readConflict } from "@/components/record/use-conflict";
import { call } from "@/lib/core/api/client";
import type { RecordItem, RecordValues } from "@/lib/records/api-schema";
import { type RecordKey, records } from "@/lib/records/registry";

/** Reads the stored record and compares it with `base`, as this screen loaded it, and with the typed values. */
export function readRecordConflict(
  list: RecordKey,
  base: RecordItem,
  typed: RecordValues,
  choices: Choices,
  use: (values: RecordValues, stored: RecordItem) => void,
): Promise<Conflict> {
  const { entity, schema } = records[list];
  return readConflict({
    prefix: entity,
    describe: describeIn(z.object({ [entity]: schema })),
    choices,
    async read() {
      const { [entity]: stored } = await call(`GET /api/${list}/{id}`, { params: { id: base.id } });
      return stored ?? base;
    },
    versions: (stored) => ({
      base: valuesOf(list, base),
      theirs: valuesOf(list, stored),
      mine: askedValues(list, typed),
    }),
    use,
  });
}
