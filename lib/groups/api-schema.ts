import * as z from "zod/mini";
import { filter, idParam, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { responseOf } from "@/lib/core/fields/responses";
import { id, idList } from "@/lib/core/fields/validation";
import { optionalInPut } from "@/lib/core/fields/vocabulary";
import { wireBody } from "@/lib/core/fields/wire";
import { groupSchema, sessionInput, sessionSchema } from "@/lib/groups/schema";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

const { name, formTypeId, serviceCodeId, usualMinutes, leaderIds, closedOn } = groupSchema.shape;
const clientIds = z.optional(idList());

/** The body of `POST /api/groups`. */
export const newGroupBody = z.object({ group: z.extend(groupSchema, { clientIds }) });

/** The body of `PUT /api/groups/{id}`. An omitted field keeps its value. */
export const groupBody = z.object({
  group: z.extend(groupSchema, {
    name: optionalInPut(name),
    formTypeId: optionalInPut(formTypeId),
    serviceCodeId: optionalInPut(serviceCodeId),
    usualMinutes: optionalInPut(usualMinutes),
    leaderIds: optionalInPut(leaderIds),
    closedOn: optionalInPut(closedOn),
    clientIds,
  }),
});
export type GroupBody = z.output<typeof groupBody>["group"];

/** A group as returned. `clientIds` are the people on its roster that the caller sees. */
export const groupResponse = z.extend(responseOf(groupSchema), {
  serviceCode: namedItem,
  formType: namedItem,
  clientIds: z.array(id()),
  userId: id(),
  user: person,
});
export type Group = z.output<typeof groupResponse>;
export const oneGroup = z.object({ group: groupResponse });

/** The people who are named on a printed sheet. */
export const sheetBody = z.object({ clientIds });

export const groupListQuery = listQuery(
  ["name", "closedOn"],
  { open: filter(z.enum(["true", "false"], { error: "must be true or false" })) },
  { sort: "name", order: "asc" },
);
export type GroupListQuery = ReturnType<typeof groupListQuery.parse>;

/** The body of a new session, and of `PUT`, where an omitted field keeps its value. */
export const sessionBody = wireBody(z.object({ groupSession: sessionInput }));
export type SessionBody = z.output<typeof sessionBody>["groupSession"];

const attendance = z.object({
  id: id(),
  client: namedItem,
  /** Null while the session's minutes apply. */
  minutes: z.nullable(z.int()),
  /** Null if the caller may not open the form. */
  formId: z.nullable(id()),
  /** True if the form was changed other than by the session. */
  edited: z.boolean(),
  /** For holders of Restrict Clients: true if the form has another day or other minutes than the session. */
  differs: z.boolean(),
});
export type Attendance = z.output<typeof attendance>;

/** A session as returned, with the people who came and are visible to the caller, by name. */
export const sessionResponse = z.extend(responseOf(sessionSchema), {
  groupId: id(),
  serviceCodeId: id(),
  formTypeId: id(),
  attendances: z.array(attendance),
  userId: id(),
  user: person,
});
export type GroupSession = z.output<typeof sessionResponse>;
export const oneSession = z.object({ groupSession: sessionResponse });

export const sessionListQuery = listQuery(["heldOn"], {}, { sort: "heldOn", order: "desc" });
export type SessionListQuery = ReturnType<typeof sessionListQuery.parse>;

/** The path parameters of a session. */
export const sessionParams = z.object({ id: idParam, sessionId: idParam });
