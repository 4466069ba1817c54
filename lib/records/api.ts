import { z } from "zod/mini";
import { ABOUT_HISTORY, history, historyQuery } from "@/lib/audit/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParams, listPage, type Meta } from "@/lib/core/api/list-query";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { listKey } from "@/lib/core/records/declaration";
import {
  createBody,
  type RecordItem,
  recordFiles,
  recordQuery,
  recordResponse,
  updateBody,
} from "@/lib/records/api-schema";
import { type RecordKey, recordKeys, records } from "@/lib/records/registry";

// The endpoints of every declared record.

const one = (key: RecordKey): z.core.$ZodType<Record<string, RecordItem>> =>
  z.object({ [records[key].entity]: recordResponse(key) });
const many = (key: RecordKey): z.core.$ZodType<Record<string, RecordItem[] | Meta>> =>
  listPage(listKey(key), recordResponse(key));

const OWN = "Without All Forms, callers see their own records.";

export const listRecords = byKey(recordKeys, (key) =>
  endpoint(`GET /api/${key}`, {
    about: records[key].seenBy === "owner" ? OWN : undefined,
    permission: records[key].permission,
    query: recordQuery(key),
    response: many(key),
    audit: { entity: records[key].entity, action: ["listed", "searched"] },
  }),
);

export const exportRecords = byKey(keysOf(recordFiles), (name) => {
  const { list, format } = recordFiles[name];
  const { permission, entity } = records[list];
  return listFile(`/api/${list}`, format, { permission, entity, query: fileQuery(recordQuery(list)) });
});

export const getRecord = byKey(recordKeys, (key) =>
  endpoint(`GET /api/${key}/{id}`, {
    permission: records[key].permission,
    params: idParams,
    response: one(key),
    errors: ["not_found"],
    audit: { entity: records[key].entity, action: "viewed" },
  }),
);

export const createRecord = byKey(recordKeys, (key) =>
  endpoint(`POST /api/${key}`, {
    about: `\`${records[key].day}\` defaults to today.`,
    permission: records[key].permission,
    keys: ["idempotencyKey"],
    body: createBody(key),
    response: one(key),
    status: 201,
    errors: ["not_found", "period_closed"],
    audit: { entity: records[key].entity, action: ["created", "viewed"] },
  }),
);

export const updateRecord = byKey(recordKeys, (key) =>
  endpoint(`PUT /api/${key}/{id}`, {
    about: "Omitted fields stay as they are.",
    permission: records[key].permission,
    params: idParams,
    body: updateBody(key),
    response: one(key),
    errors: ["not_found", "conflict_version", "period_closed"],
    audit: { entity: records[key].entity, action: ["updated", "viewed"] },
  }),
);

export const removeRecord = byKey(recordKeys, (key) =>
  endpoint(`DELETE /api/${key}/{id}`, {
    permission: records[key].permission,
    params: idParams,
    response: null,
    errors: ["not_found", "period_closed"],
    audit: { entity: records[key].entity, action: "removed" },
  }),
);

export const getRecordHistory = byKey(recordKeys, (key) =>
  endpoint(`GET /api/${key}/{id}/history`, {
    about: ABOUT_HISTORY,
    permission: records[key].permission,
    params: idParams,
    query: historyQuery,
    response: history,
    errors: ["not_found"],
    audit: { entity: records[key].entity, action: "viewed" },
  }),
);
