import * as z from "zod/mini";
import {
  absentPerson,
  type Leader,
  type Person,
  peopleNames,
  type SessionData,
  type Values,
  valuesOf,
} from "@/components/groups/session-values";
import type { Describe, Versions } from "@/components/record/differences";
import { describeIn } from "@/components/record/field-at";
import { minutesWords } from "@/lib/audit/change-words";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { namedItem } from "@/lib/core/api/response";
import { factsOf } from "@/lib/core/fields/facts";
import { text } from "@/lib/core/fields/vocabulary";
import type { GroupSession } from "@/lib/groups/api-schema";
import { sessionSchema } from "@/lib/groups/schema";

/** A session as it is compared. Each person and each leader is one value in words, by id. */
type Compared = Pick<Values, "heldOn" | "minutes" | "unnamed"> & {
  people: Record<string, string>;
  leaders: Record<string, string>;
};

const describeFields = describeIn(z.object({ groupSession: sessionSchema }));
const WORDS = factsOf(text("Person"));
const SECTIONS: Readonly<Record<string, string>> = { people: "Who came", leaders: "Leaders" };

const personWords = (person: Person | undefined) => {
  if (!person?.attends) return "Did not come";
  return person.minutes === null ? "Came" : `Came, ${minutesWords(person.minutes)}`;
};
const leaderWords = (leader: Leader | undefined, minutes: number | null) =>
  leader?.leads ? `Led, ${minutesWords(leader.minutes ?? minutes)}` : "Did not lead";

/** Returns the ids of the rows of all lists, each once, in their order. New clients have none yet. */
const idsIn = (lists: readonly (readonly (number | null)[])[]): number[] => [
  ...new Set(lists.flat().filter((id) => id !== null)),
];
const personIn = ({ people }: Values, id: number) => people.find(({ clientId }) => clientId === id);
const leaderIn = ({ leaders }: Values, id: number) => leaders.find(({ userId }) => userId === id);

/** Returns the names of leaders. Someone who became a leader after this screen was loaded is looked up. */
async function namesOf(known: readonly NamedItem[], { leaders }: GroupSession): Promise<NamedItem[]> {
  if (leaders.every(({ userId }) => known.some(({ id }) => id === userId))) return [...known];
  const { users } = await call("GET /api/resource_lists/users");
  const isNew = ({ id }: NamedItem) =>
    leaders.some(({ userId }) => userId === id) && !known.some((leader) => leader.id === id);
  return [...known, ...z.array(namedItem).parse(users).filter(isNew)];
}

/** Returns the parts of a comparison between a typed session and the one that another leader has saved since. */
export function sessionComparison(data: SessionData) {
  let leaders = data.leaders;
  /** The people of all versions by id, as nobody who came. */
  const known = new Map<number, Person>();
  const names = new Map<string, string>();
  const formOf = (session: GroupSession) => valuesOf({ ...data, leaders, session });
  const describe: Describe = (name, versions) => {
    const path = name.slice("groupSession.".length);
    const section = SECTIONS[path.split(".")[0] ?? ""];
    if (!section) return describeFields(name, versions);
    return { section, label: names.get(path) ?? "", facts: WORDS };
  };

  return {
    async read(sessionId: number): Promise<GroupSession> {
      const params = { id: data.group.id, sessionId };
      const { groupSession } = await call("GET /api/groups/{id}/sessions/{sessionId}", { params });
      leaders = await namesOf(data.leaders, groupSession);
      return groupSession;
    },
    versions(of: { base: GroupSession; stored: GroupSession; typed: Values }): Versions<Compared> {
      const all = [formOf(of.stored), formOf(of.base), of.typed];
      const clientIds = idsIn(all.map(({ people }) => people.map(({ clientId }) => clientId)));
      const userIds = idsIn(all.map(({ leaders }) => leaders.map(({ userId }) => userId)));
      for (const { people, leaders } of all) {
        for (const { clientId: id, ...person } of people)
          if (id !== null) known.set(id, absentPerson({ ...person, id }));
        for (const { userId, name } of leaders) names.set(`leaders.${userId}`, name);
      }
      const ids = [...known.keys()];
      for (const [at, name] of peopleNames([...known.values()]).entries())
        names.set(`people.${ids[at]}`, name);
      const compared = (values: Values): Compared => ({
        heldOn: values.heldOn,
        minutes: values.minutes,
        unnamed: values.unnamed,
        people: Object.fromEntries(clientIds.map((id) => [id, personWords(personIn(values, id))])),
        leaders: Object.fromEntries(
          userIds.map((id) => [id, leaderWords(leaderIn(values, id), values.minutes)]),
        ),
      });
      return {
        base: compared(formOf(of.base)),
        theirs: compared(formOf(of.stored)),
        mine: compared(of.typed),
      };
    },
    describe,
    /** Returns the values of the form for the chosen ones, with the rows of the stored session. */
    valuesOf({ people, leaders, ...chosen }: Compared, typed: Values, stored: GroupSession): Values {
      const theirs = formOf(stored);
      const person = (id: number): Person => {
        const blank = known.get(id) ?? absentPerson({ id, name: "", yearOfBirth: null, createdOn: "" });
        const [mine, other] = [personIn(typed, id) ?? blank, personIn(theirs, id) ?? blank];
        const { attends, minutes } = people[id] === personWords(mine) ? mine : other;
        return { ...other, attends, minutes };
      };
      const leader = (userId: number): Leader => {
        const name = names.get(`leaders.${userId}`) ?? "";
        const blank: Leader = { userId, name, leads: false, minutes: null };
        const [mine, other] = [leaderIn(typed, userId) ?? blank, leaderIn(theirs, userId) ?? blank];
        const isMine = leaders[userId] === leaderWords(mine, typed.minutes);
        const { leads, minutes: own } = isMine ? mine : other;
        const minutes = own ?? (isMine ? typed : theirs).minutes;
        return { ...other, leads, minutes: minutes === chosen.minutes ? null : minutes };
      };
      const isListed = ({ clientId }: Person) => personIn(typed, clientId ?? 0) !== undefined;
      return {
        ...chosen,
        people: [
          ...typed.people.map((row) => (row.clientId === null ? row : person(row.clientId))),
          ...theirs.people.flatMap((row) =>
            row.clientId === null || isListed(row) ? [] : [person(row.clientId)],
          ),
        ],
        leaders: idsIn([typed.leaders, theirs.leaders].map((rows) => rows.map(({ userId }) => userId))).map(
          leader,
        ),
      };
    },
  };
}
