import * as z from "zod/mini";
import { clientResponse } from "@/lib/clients/api-schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { listFile } from "@/lib/core/api/list-file";
import { idParams } from "@/lib/core/api/list-query";
import { byKey, keysOf } from "@/lib/core/objects";
import { type RecordDifferences, recordCalls } from "@/lib/declared-records/calls";
import { eventCalls } from "@/lib/events/api";
import { formResponse } from "@/lib/forms/api-schema";
import { printQuery } from "@/lib/forms/by-client/schema";
import { surveyCalls } from "@/lib/outcomes/api";
import { recordFiles } from "@/lib/records/api-schema";
import { plainRecordKeys, type RecordKey, records } from "@/lib/records/registry";
import { stayResponse } from "@/lib/shelter/api-schema";

// The endpoints of every record whose API is what its declaration says, and of what spans the records.

const differences: Partial<Record<RecordKey, RecordDifferences>> = {
  events: eventCalls,
  outcome_surveys: surveyCalls,
};
const calls = byKey(plainRecordKeys, (key) => recordCalls(records[key], differences[key]));

export const listRecords = byKey(plainRecordKeys, (key) => endpoint(`GET /api/${key}`, calls[key].list));

export const exportRecords = byKey(keysOf(recordFiles), (name) => {
  const { list, format } = recordFiles[name];
  return listFile(`/api/${list}`, format, calls[list].files);
});

export const getRecord = byKey(plainRecordKeys, (key) => endpoint(`GET /api/${key}/{id}`, calls[key].get));

export const createRecord = byKey(plainRecordKeys, (key) => endpoint(`POST /api/${key}`, calls[key].create));

export const updateRecord = byKey(plainRecordKeys, (key) =>
  endpoint(`PUT /api/${key}/{id}`, calls[key].update),
);

export const removeRecord = byKey(plainRecordKeys, (key) =>
  endpoint(`DELETE /api/${key}/{id}`, calls[key].remove),
);

export const getRecordHistory = byKey(plainRecordKeys, (key) =>
  endpoint(`GET /api/${key}/{id}/history`, calls[key].history),
);

export const exportClientRecord = endpoint("GET /api/clients/{id}/record.json", {
  about:
    "Returns a client's whole record, to answer an access request: the client; for callers with Forms, every form they may see, in order of service; for callers with Shelter, the client's stays. `from` and `to` are inclusive days.",
  permission: "export",
  additionalPermissions: "clients",
  params: idParams,
  query: printQuery,
  response: z.object({ client: clientResponse, forms: z.array(formResponse), stays: z.array(stayResponse) }),
  errors: ["not_found"],
  audit: { entity: ["client", "form", "stay"], action: "exported" },
});
