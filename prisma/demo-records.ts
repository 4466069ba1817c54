import type { Tx } from "@/lib/core/database/client";
import type { Random } from "./demo-random";

// Contacts, activities, events, and outcome surveys of the demo, so that no report is empty. The latest ones are some days
// old: the week on Home has what its user records.

const FIRST_DAY = 170;
const LAST_DAY = 10;
const CONTACTS = 60;
const ACTIVITIES = 30;

type DemoEvent = {
  kind: string;
  title: string;
  audience: "general" | "youth" | "professionals";
  attended: number;
  materials?: number;
  explains?: true;
  /** Days before today: of a series, those of its sessions. */
  days: readonly number[];
  /** The different people in all sessions of a series. */
  people?: number;
};

const EVENTS: readonly DemoEvent[] = [
  {
    kind: "School presentation",
    title: "Healthy relationships, Sample High",
    audience: "youth",
    attended: 24,
    days: [150, 143, 136, 129],
    people: 31,
  },
  {
    kind: "School presentation",
    title: "Healthy relationships, Mock Middle",
    audience: "youth",
    attended: 19,
    days: [40, 33, 26],
  },
  {
    kind: "Law enforcement training",
    title: "Lethality assessment",
    audience: "professionals",
    attended: 16,
    materials: 16,
    explains: true,
    days: [120],
  },
  {
    kind: "Health care training",
    title: "Screening at the emergency room",
    audience: "professionals",
    attended: 12,
    materials: 40,
    explains: true,
    days: [60],
  },
  {
    kind: "Fair or information table",
    title: "County fair",
    audience: "general",
    attended: 210,
    materials: 260,
    days: [105],
  },
  {
    kind: "Vigil or awareness event",
    title: "Candlelight vigil",
    audience: "general",
    attended: 85,
    materials: 90,
    explains: true,
    days: [48],
  },
  {
    kind: "Faith community",
    title: "Supper talk",
    audience: "general",
    attended: 33,
    explains: true,
    days: [88],
  },
  {
    kind: "Workplace presentation",
    title: "What to do at work",
    audience: "general",
    attended: 27,
    materials: 30,
    days: [18],
  },
];

/** Cards by kind of service: their number, and the yes and no answers about safety and about resources. */
const SURVEYS = [
  { days: 140, kind: "shelter", completed: 9, safety: [8, 1], resources: [7, 1] },
  { days: 120, kind: "advocacy", completed: 22, safety: [18, 3], resources: [19, 2] },
  { days: 95, kind: "counseling", completed: 14, safety: [12, 2], resources: [9, 4] },
  { days: 70, kind: "support_group", completed: 11, safety: [10, 0], resources: [10, 1] },
  { days: 45, kind: "shelter", completed: 7, safety: [6, 1], resources: [6, 0] },
  { days: 30, kind: "advocacy", completed: 26, safety: [21, 4], resources: [22, 3] },
  { days: 15, kind: "counseling", completed: 8, safety: [7, 1], resources: [8, 0] },
] as const;

/** Adds the records of these users. */
export async function addRecords(
  tx: Tx,
  users: readonly { id: number }[],
  { random, dayBefore }: { random: Random; dayBefore: (days: number) => Date },
): Promise<void> {
  const someDay = () => dayBefore(random.int(LAST_DAY, FIRST_DAY));
  const userAt = (at: number) => users[at % users.length]?.id ?? 0;
  const contactKinds = await tx.contactKind.findMany({ orderBy: { id: "asc" } });
  const activityKinds = await tx.activityKind.findMany({ orderBy: { id: "asc" } });
  if (contactKinds.length === 0 || activityKinds.length === 0) return;
  await tx.contact.createMany({
    data: Array.from({ length: CONTACTS }, (_, at) => {
      const requestsShelter = at % 10 === 3;
      return {
        contactedOn: someDay(),
        contactKindId: random.pick(contactKinds)?.id ?? 0,
        userId: userAt(at),
        number: at % 12 === 0 ? 4 : 1,
        minutes: 5 * random.int(1, 9),
        ...(requestsShelter && {
          shelterRequested: true,
          adults: 1,
          children: at % 3,
          turnedAwayReason: at % 20 === 3 ? "capacity" : "",
        }),
      };
    }),
  });
  await tx.activity.createMany({
    data: Array.from({ length: ACTIVITIES }, (_, at) => ({
      occurredOn: someDay(),
      activityKindId: random.pick(activityKinds)?.id ?? 0,
      userId: userAt(at),
      minutes: 15 * random.int(1, 8),
    })),
  });
  await addEvents(tx, userAt, dayBefore);
  await addSurveys(tx, userAt, dayBefore);
}

async function addEvents(tx: Tx, userAt: (at: number) => number, dayBefore: (days: number) => Date) {
  const kinds = await tx.eventKind.findMany();
  for (const [at, { kind, days, people, explains = false, ...event }] of EVENTS.entries()) {
    const eventKindId = kinds.find(({ name }) => name === kind)?.id;
    if (eventKindId === undefined) continue;
    let first: number | null = null;
    for (const [session, day] of days.entries()) {
      const { title, audience, attended, materials = 0 } = event;
      const created: { id: number } = await tx.event.create({
        data: {
          eventKindId,
          title,
          audience,
          materials,
          identifiesVictimization: explains,
          attended: attended - session,
          heldOn: dayBefore(day),
          userId: userAt(at),
          seriesId: first,
          staff: { create: { userId: userAt(at), minutes: 90 } },
        },
      });
      first ??= created.id;
      const isLast = people !== undefined && session === days.length - 1;
      if (days.length > 1)
        await tx.event.update({
          where: { id: created.id },
          data: { seriesId: first, ...(isLast && { seriesPeople: people }) },
        });
    }
  }
}

async function addSurveys(tx: Tx, userAt: (at: number) => number, dayBefore: (days: number) => Date) {
  const questions = await tx.outcomeQuestion.findMany();
  for (const [at, { days, kind, completed, ...answers }] of SURVEYS.entries())
    await tx.outcomeSurvey.create({
      data: {
        countedOn: dayBefore(days),
        serviceKind: kind,
        completed,
        userId: userAt(at),
        answers: {
          create: questions.flatMap(({ id, measure }) => {
            if (measure !== "safety" && measure !== "resources") return [];
            const [yes, no] = answers[measure];
            return { outcomeQuestionId: id, yes, no };
          }),
        },
      },
    });
}
