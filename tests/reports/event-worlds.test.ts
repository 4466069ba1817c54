import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { addDays, today } from "@/lib/core/text/format";
import { linesOf } from "@/lib/reports/definitions";
import { call } from "@/tests/call";
import { formTypeId, makeUser, type Person } from "@/tests/factories";
import { type Asked, type Item, type Period, WORLDS } from "./event-worlds";

// The reports have the numbers of event-worlds.ts, which were worked out by hand before the code that counts.

const ADVOCATE = ["events", "outcome-surveys", "reports"] as const;

let stage: Record<"owner" | "other" | "viewer" | "setup", Person>;
/** The question that is asked now, by measure. */
const questions = new Map<Asked, number>();

beforeAll(async () => {
  stage = {
    owner: await makeUser(ADVOCATE),
    other: await makeUser(ADVOCATE),
    viewer: await makeUser([...ADVOCATE, "all-forms", "export"]),
    setup: await makeUser(["outcome-questions", "close-periods"]),
  };
  for (const { id, measure } of await db().outcomeQuestion.findMany())
    questions.set(measure === "safety" ? "safety" : "resources", id);
  questions.set("food", await addQuestion("The food was good.", ""));
});

async function send(person: Person, method: "POST" | "PUT" | "DELETE", path: string, body?: object) {
  return call(person.cookie, method, path, body);
}

async function addQuestion(name: string, measure: string): Promise<number> {
  const sent = { outcomeQuestion: { name, measure } };
  const { status, body } = await send(stage.setup, "POST", "/api/outcome_questions", sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.outcomeQuestion.id;
}

/** Plays the items of a world in the year, and checks the numbers of its periods. */
async function play(items: readonly Item[], year: number): Promise<void> {
  const on = (day: string) => {
    if (day.startsWith("T")) return addDays(today(), -Number(day.slice(2)));
    return String(year + "YZ".indexOf(day.charAt(0))) + day.slice(1);
  };
  const ids = new Map<string, { kind: "events" | "outcome_surveys"; id: number; by: Person }>();
  const submissions: number[] = [];

  type Changed = Partial<Extract<Item, { event: string }> & Extract<Item, { tally: string }>>;
  const eventOf = (event: Changed, eventKindId: number) => ({
    ...(event.on && { heldOn: on(event.on) }),
    eventKindId,
    title: "Talk",
    audience: event.audience,
    attended: event.attended,
    materials: event.materials,
    identifiesVictimization: event.explains,
    ...("series" in event && { seriesId: ids.get(event.series ?? "")?.id ?? null }),
    ...("seriesPeople" in event && { seriesPeople: event.seriesPeople ?? null }),
    ...(event.staff && {
      staffAttributes: event.staff.map((by) => ({ userId: stage[by].id, minutes: 60 })),
    }),
  });
  const tallyOf = (tally: Changed) => ({
    ...(tally.on && { countedOn: on(tally.on) }),
    serviceKind: tally.of,
    completed: tally.cards,
    answersAttributes: (["safety", "resources", "food"] as const).flatMap((asked) => {
      const [yes, no] = tally[asked] ?? [];
      return yes === undefined ? [] : [{ outcomeQuestionId: questions.get(asked), yes, no }];
    }),
  });
  const { id: eventKindId } = await db().eventKind.findFirstOrThrow();
  const latest = new Map<string, Changed>();

  async function change(name: string, to: Changed) {
    const found = ids.get(name);
    if (!found) throw new Error(`The world has no ${name}`);
    const next = { ...latest.get(name), ...to };
    const body =
      found.kind === "events"
        ? { event: eventOf({ ...to, audience: next.audience, attended: next.attended }, eventKindId) }
        : { outcomeSurvey: tallyOf(next) };
    const answer = await send(found.by, "PUT", `/api/${found.kind}/${found.id}`, body);
    if (answer.status === 200) latest.set(name, next);
    return answer;
  }

  const query = async ({ from, to, by, formType }: Period) =>
    new URLSearchParams({
      from: on(from),
      to: on(to),
      ...(by && { userId: String(stage[by].id) }),
      ...(formType && { formTypeId: String(await formTypeId(formType as "Service")) }),
    });

  async function check(period: Period) {
    const reader = stage[period.reader ?? "viewer"];
    const asked = await query(period);
    for (const report of ["fvpsa", "pccd"] as const) {
      const expected = period[report];
      if (!expected) continue;
      const { body } = await call(reader.cookie, "GET", `/api/reports/${report}?${asked}`);
      const lines: { key: string; count: number }[] = body.report.sections
        .filter(({ key }: { key: string }) => ["education", "outcomes", "presentations"].includes(key))
        .flatMap(({ lines }: { lines: object[] }) => lines);
      expect(
        Object.fromEntries(lines.filter(({ count }) => count > 0).map((line) => [line.key, line.count])),
      ).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([line, number]) => [
            line,
            Number(String(number).split(" = ").at(-1)),
          ]),
        ),
      );
      if (period.formType) expect(lines).toEqual([]);
    }
    for (const [line, names] of Object.entries(period.behind ?? {})) {
      const report = linesOf("fvpsa").some(({ key }) => key === line) ? "fvpsa" : "pccd";
      const { body } = await call(reader.cookie, "GET", `/api/reports/${report}/lines/${line}?${asked}`);
      const found = [...(body.events ?? []), ...(body.surveys ?? [])];
      expect([line, found.map((id: number) => nameOf(id, line)).sort()]).toEqual([line, names]);
    }
    if (period.openSeries) {
      const { body } = await call(reader.cookie, "GET", `/api/reports/fvpsa/gaps?${asked}`);
      const gap = body.gaps.find(({ field }: { field: string }) => field === "openSeries");
      expect(gap.events.map((id: number) => nameOf(id, "education")).sort()).toEqual(period.openSeries);
    }
    if (period.copy) {
      const { body } = await call(reader.cookie, "GET", `/api/reports/fvpsa?${asked}&share=true`);
      const lines: { key: string; suppressed?: boolean }[] = body.report.sections.flatMap(
        ({ lines }: { lines: object[] }) => lines,
      );
      const withheld = lines.filter(({ key, suppressed }) => suppressed && /^(education|outcome)_/.test(key));
      expect(withheld.map(({ key }) => key).sort()).toEqual(Object.keys(period.copy).sort());
    }
    if (period.since) {
      const id = submissions.at(-1);
      const { body } = await call(reader.cookie, "GET", `/api/reports/fvpsa/submissions/${id}`);
      const lines: { key: string; count: number; now: number }[] = body.submission.lines;
      const changed = lines.filter(({ count, now }) => count !== now);
      expect(Object.fromEntries(changed.map(({ key, count, now }) => [key, [count, now]]))).toEqual(
        period.since,
      );
    }
  }
  const nameOf = (id: number, line: string) => {
    const kind = line.startsWith("outcome") ? "outcome_surveys" : "events";
    return [...ids].find(([, found]) => found.kind === kind && found.id === id)?.[0] ?? `${kind} ${id}`;
  };

  for (const item of items) {
    if ("event" in item) {
      const by = stage[item.by ?? "owner"];
      const staff = item.staff ?? [item.by ?? "owner"];
      const { series, ...event } = item;
      const sent = {
        event: eventOf({ ...event, staff, ...(series !== item.event && { series }) }, eventKindId),
      };
      const isFirst = series === item.event;
      // The number of people needs the series, which the first event names only after it has an id.
      const created = await send(by, "POST", "/api/events", {
        event: { ...sent.event, ...(isFirst && { seriesPeople: null }) },
      });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      const { id } = created.body.event;
      ids.set(item.event, { kind: "events", id, by });
      latest.set(item.event, event);
      if (isFirst) {
        const named = { event: { seriesId: id, seriesPeople: item.seriesPeople ?? null } };
        expect((await send(by, "PUT", `/api/events/${id}`, named)).status).toBe(200);
      }
    } else if ("tally" in item) {
      const by = stage[item.by ?? "owner"];
      const created = await send(by, "POST", "/api/outcome_surveys", { outcomeSurvey: tallyOf(item) });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      ids.set(item.tally, { kind: "outcome_surveys", id: created.body.outcomeSurvey.id, by });
      latest.set(item.tally, item);
    } else if ("change" in item) {
      const { status, body } = await change(item.change, item.to);
      expect(status, JSON.stringify(body)).toBe(200);
    } else if ("refused" in item) {
      const refused = await change(item.refused, item.to);
      expect(refused).toMatchObject({ status: 409, body: { code: "period_closed" } });
    } else if ("remove" in item) {
      const found = ids.get(item.remove);
      expect((await send(stage.viewer, "DELETE", `/api/${found?.kind}/${found?.id}`)).status).toBe(204);
    } else if ("retire" in item) {
      const id = questions.get(item.retire);
      const inactive = { outcomeQuestion: { ...(await question(id)), active: false } };
      expect((await send(stage.setup, "PUT", `/api/outcome_questions/${id}`, inactive)).status).toBe(200);
      questions.set(item.retire, await addQuestion(`I can plan for my ${item.retire} now.`, item.retire));
    } else if ("close" in item) {
      const closed = { closedThrough: item.close && on(item.close) };
      expect((await send(stage.setup, "PUT", "/api/closed_periods", closed)).status).toBe(200);
    } else if ("submit" in item) {
      const submission = { from: on(item.submit.from), to: on(item.submit.to) };
      const sent = await send(stage.viewer, "POST", "/api/reports/fvpsa/submissions", { submission });
      expect(sent.status, JSON.stringify(sent.body)).toBe(201);
      submissions.push(sent.body.submission.id);
    } else await check(item);
  }
}

const question = async (id = 0) => {
  const { name, measure } = await db().outcomeQuestion.findUniqueOrThrow({ where: { id } });
  return { name, measure };
};

describe("the reports count a world of events and surveys as worked out by hand:", () => {
  test.each(WORLDS.map((world, at) => [world.name, world, 1950 + at * 2] as const))(
    "%s",
    async (_, world, year) => {
      await play(world.items, year);
    },
  );
});
