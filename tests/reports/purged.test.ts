import { beforeAll, describe, expect, test } from "vitest";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import {
  addClient,
  addForm,
  addSurvivorForm,
  makeReporter,
  type Reporter,
  readNumbers,
  readRecordsBehind,
} from "./world";

// A purged client still counts through the remaining data. The numbers were worked out by hand.

let world: Reporter;
let keeper: Person;
beforeAll(async () => {
  world = await makeReporter();
  keeper = await makeUser(["retention"]);
  const retention = { years: 5, nightly: false };
  expect((await call(keeper.cookie, "PUT", "/api/retention", { retention })).status).toBe(200);
});

async function purge(id: number): Promise<void> {
  await rows(sql`UPDATE clients SET updated_at = '2015-01-01' WHERE id = ${id}`);
  await rows(sql`UPDATE forms SET updated_at = '2015-01-01' WHERE client_id = ${id}`);
  const { body } = await call(keeper.cookie, "POST", "/api/retention/purge", { ids: [id] });
  expect(body).toMatchObject({ done: [id], failed: [] });
}

describe("a purged client", () => {
  test("counts on the same lines as before, in each year by her age in it", async () => {
    const { owner, viewer } = world;
    // She is 17 in October 1990 and 18 from January 15, 1991, so 18 when she is new again in October 1991.
    const teen = await addClient(owner, { born: "1973-01-15", bracket: "60 and older", flags: ["homeless"] });
    await addSurvivorForm(owner, teen, "1990-10-04", { relationship: "Spouse", other: "Burned letters" });
    await addForm(owner, teen, "1990-10-05", [["CRISIS", 30]]);
    await addForm(owner, teen, "1991-11-05", [["COUNSEL-IND", 60]], { otherMinutes: 15 });
    const first = {
      individuals_served: 1,
      individuals_new: 1,
      race_white_non_latino: 1,
      gender_female: 1,
      age_13_17: 1,
      // The relationship and the text next to the list count on two lines.
      victim_domestic_family_violence: 1,
      victim_other: 1,
      victim_multiple: 1,
      special_homeless: 1,
      c_individuals: 1,
      c1_crisis_intervention: 1,
    };
    const { age_13_17, c1_crisis_intervention, ...same } = first;
    const second = { ...same, age_18_24: 1, c4_individual_counseling: 1 };
    const both = async () => [
      await readNumbers(viewer, "pmt", "1990-10-01", "1990-12-31"),
      await readNumbers(viewer, "pmt", "1991-10-01", "1991-12-31"),
    ];
    expect(await both()).toEqual([first, second]);
    await purge(teen);
    expect(await both()).toEqual([first, second]);
    const [row] = await rows<{ born: string | null; said: string }>(
      sql`SELECT b.date_of_birth AS born, v.secondary_victimization_other AS said
       FROM client_biographical_entries b, forms f JOIN intake_forms i ON i.form_id = f.id
         JOIN survivor_entries v ON v.intake_form_id = i.id
       WHERE b.client_id = ${teen} AND f.client_id = ${teen}`,
    );
    expect(row).toEqual({ born: null, said: "Removed" });
    // The list behind the line still includes her, by number.
    expect(await readRecordsBehind(viewer, "pmt", "age_13_17", "1990-10-01", "1990-12-31")).toMatchObject({
      clients: [teen],
    });
  });

  test("counts by her brackets before the date given as her birth, as she did before", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner, { born: "1996-01-01", bracket: "25–34" });
    await addForm(owner, ann, "1995-10-05", [["SAFETY", 15]]);
    const fresh = async () => (await readNumbers(viewer, "pmt", "1995-10-01", "1995-12-31")).age_25_59;
    expect(await fresh()).toBe(1);
    await purge(ann);
    expect(await fresh()).toBe(1);
  });

  test("keeps the numbers of a submitted quarter and the forms of other clients", async () => {
    const { owner, viewer } = world;
    const ann = await addClient(owner);
    const bea = await addClient(owner);
    await addForm(owner, ann, "1985-10-05", [["SAFETY", 15]]);
    const other = await addForm(owner, bea, "1985-10-06", [["SAFETY", 15]]);
    const submission = { from: "1985-10-01", to: "1985-12-31" };
    const response = await call(viewer.cookie, "POST", "/api/reports/pmt/submissions", { submission });
    const servedLine = async (id = response.body.submission.id) => {
      const { submission } = (await call(viewer.cookie, "GET", `/api/reports/pmt/submissions/${id}`)).body;
      const { count, now, forms, more } = submission.lines.find(
        ({ key }: { key: string }) => key === "individuals_served",
      );
      return { count, now, forms, more };
    };
    await purge(ann);
    expect(await servedLine()).toEqual({ count: 2, now: 2, forms: [], more: 0 });
    const stored = await rows<{ client_id: number }>(
      sql`SELECT DISTINCT client_id FROM report_submission_records WHERE submission_id = ${response.body.submission.id}`,
    );
    expect(stored).toEqual([{ client_id: bea }]);
    // A later submission has them too.
    const later = await call(viewer.cookie, "POST", "/api/reports/pmt/submissions", { submission });
    expect(await servedLine(later.body.submission.id)).toEqual({ count: 2, now: 2, forms: [], more: 0 });
    expect((await call(owner.cookie, "DELETE", `/api/forms/${other}`)).status).toBe(204);
    expect(await servedLine()).toEqual({
      count: 2,
      now: 1,
      forms: [{ clientId: bea, change: "removed" }],
      more: 0,
    });
  });
});
