import * as z from "zod/mini";
import { distinctNames, type Namesake } from "@/lib/clients/hits";
import type { NamedItem } from "@/lib/core/access/permissions";
import { ApiError } from "@/lib/core/api/client";
import { MINUTES_MAX } from "@/lib/core/fields/validation";
import { today } from "@/lib/core/text/format";
import type { GroupSession } from "@/lib/groups/api-schema";
import { sessionSchema } from "@/lib/groups/schema";

/** Someone on the list: on the roster, added by search, or new (`clientId` is null until the record is made). */
export type Person = Omit<Namesake, "id"> & {
  clientId: number | null;
  attends: boolean;
  /** Null while the session's minutes apply. */
  minutes: number | null;
  attendanceId?: number | undefined;
  formId: number | null;
  edited: boolean;
};
export type Leader = {
  userId: number;
  name: string;
  leads: boolean;
  /** Null while the session's minutes apply. */
  minutes: number | null;
  id?: number | undefined;
};

const ownMinutes = z.nullable(z.int().check(z.minimum(1), z.maximum(MINUTES_MAX)));
/** The checks of the typed values. */
export const sessionValues = z.object({
  heldOn: sessionSchema.shape.heldOn,
  minutes: sessionSchema.shape.minutes,
  unnamed: sessionSchema.shape.unnamed,
  people: z.array(z.looseObject({ attends: z.boolean(), minutes: ownMinutes })),
  leaders: z
    .array(z.looseObject({ leads: z.boolean(), minutes: ownMinutes }))
    .check(z.refine((rows) => rows.some(({ leads }) => leads), { error: "At least one leader is required" })),
});
export type Values = {
  heldOn: string;
  minutes: number | null;
  unnamed: number;
  people: Person[];
  leaders: Leader[];
};

/** Returns the error of a save with the names of those people who are no longer found among the clients. */
export function withNames(error: unknown, present: readonly Person[], all: readonly Person[]): unknown {
  if (!(error instanceof ApiError)) return error;
  const gone = Object.keys(error.fields).flatMap((path) => {
    const at = /^groupSession\.attendances\.(\d+)\.(?:id|clientId)$/.exec(path)?.[1];
    return present[Number(at ?? Number.NaN)] ?? [];
  });
  if (gone.length === 0) return error;
  const others = Object.entries(error.fields).filter(
    ([path]) => !path.startsWith("groupSession.attendances."),
  );
  const named = gone.map((person) => [
    `groupSession.people.${all.indexOf(person)}.attends`,
    `${person.name} was not found: merged, removed, or hidden since. Untick this name, and search again.`,
  ]);
  const fields: Record<string, string> = Object.fromEntries([...others, ...named]);
  const { status, code, body, requestId } = error;
  return new ApiError(status, code, [...new Set(Object.values(fields))], fields, body, requestId);
}

export type SessionData = {
  group: { id: number; usualMinutes: number };
  /** The people on the roster and in the session, by name. */
  roster: Namesake[];
  /** Names of the leaders with an active account, and of all who are in the session. */
  leaders: NamedItem[];
  userId: number;
  /** True for a holder of All Forms. */
  seesAllForms: boolean;
  /** Null for a new session. */
  session: GroupSession | null;
};

/** Returns someone who is not ticked. */
export const absentPerson = ({ id, name, yearOfBirth, createdOn }: Namesake): Person => ({
  clientId: id,
  name,
  yearOfBirth,
  createdOn,
  attends: false,
  minutes: null,
  formId: null,
  edited: false,
});

/** Returns the names of people in their order, each with what distinguishes it from an equal one. */
export const peopleNames = (people: readonly Person[]): string[] =>
  distinctNames(people.map(({ clientId, ...person }) => ({ ...person, id: clientId })));

/** Returns the values that the form begins with. Nobody is ticked in a new session: presence is never assumed. */
export function valuesOf({ group, roster, leaders, userId, seesAllForms, session }: SessionData): Values {
  const byId = new Map(roster.map((person) => [person.id, person]));
  // Another leader may have added someone since. Only the name and the number are known then.
  const person = (client: NamedItem): Person =>
    absentPerson(byId.get(client.id) ?? { ...client, yearOfBirth: null, createdOn: "" });
  const came = (session?.attendances ?? []).map(({ id, client, ...attendance }) => ({
    ...person(client),
    attends: true,
    minutes: attendance.minutes,
    attendanceId: id,
    formId: attendance.formId,
    edited: attendance.edited || attendance.differs,
  }));
  const absent = roster.filter(({ id }) => !came.some(({ clientId }) => clientId === id)).map(absentPerson);
  const minutes = session?.minutes ?? group.usualMinutes;
  // Someone who did not lead the session cannot send its leaders, so their minutes stay.
  const follows = seesAllForms || session?.leaders.some((row) => row.userId === userId);
  const ownMinutesOf = (row: { minutes: number } | undefined) =>
    row && !(follows && row.minutes === minutes) ? row.minutes : null;
  const first = leaders.some(({ id }) => id === userId) ? userId : leaders[0]?.id;
  return {
    heldOn: session?.heldOn ?? today(),
    minutes,
    unnamed: session?.unnamed ?? 0,
    people: [...came, ...absent].sort((a, b) => a.name.localeCompare(b.name)),
    leaders: leaders.map(({ id, name }) => {
      const row = session?.leaders.find(({ userId }) => userId === id);
      return {
        userId: id,
        name,
        id: row?.id,
        leads: session ? row !== undefined : id === first,
        minutes: ownMinutesOf(row),
      };
    }),
  };
}
