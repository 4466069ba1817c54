import { z } from "zod/mini";
import type { NamedItem } from "@/lib/core/access/permissions";
import { MINUTES_MAX } from "@/lib/core/fields/validation";
import { today } from "@/lib/core/text/format";
import type { GroupSession } from "@/lib/groups/api-schema";
import { sessionSchema } from "@/lib/groups/schema";

/** Someone on the list: on the roster, added by search, or new (`clientId` is null until the record is made). */
export type Person = {
  clientId: number | null;
  name: string;
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

export type SessionData = {
  group: { id: number; usualMinutes: number; leaderIds: number[] };
  /** The people on the roster, by name. */
  roster: NamedItem[];
  /** Names of the leaders, also of former ones who are in the session. */
  leaders: NamedItem[];
  userId: number;
  /** True for a holder of All Forms. */
  seesAllForms: boolean;
  /** Null for a new session. */
  session: GroupSession | null;
};

/** Returns someone who is not ticked. */
export const absentPerson = (clientId: number | null, name: string): Person => ({
  clientId,
  name,
  attends: false,
  minutes: null,
  formId: null,
  edited: false,
});

/** Returns the values that the form begins with. Nobody is ticked in a new session: presence is never assumed. */
export function valuesOf({ group, roster, leaders, userId, seesAllForms, session }: SessionData): Values {
  const person = ({ id, name }: NamedItem): Person => absentPerson(id, name);
  const came = (session?.attendances ?? []).map(({ id, client, ...attendance }) => ({
    ...person(client),
    attends: true,
    minutes: attendance.minutes,
    attendanceId: id,
    formId: attendance.formId,
    edited: attendance.edited || attendance.differs,
  }));
  const absent = roster.filter(({ id }) => !came.some(({ clientId }) => clientId === id)).map(person);
  const minutes = session?.minutes ?? group.usualMinutes;
  // Someone who did not lead the session cannot send its leaders, so their minutes stay.
  const follows = seesAllForms || session?.leaders.some((row) => row.userId === userId);
  const ownMinutesOf = (row: { minutes: number } | undefined) =>
    row && !(follows && row.minutes === minutes) ? row.minutes : null;
  const first = group.leaderIds.includes(userId) ? userId : group.leaderIds[0];
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
