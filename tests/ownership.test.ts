import { beforeAll, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { endpoints } from "@/lib/endpoints";
import { call, type Method } from "@/tests/call";
import { addressesOf, type EveryRead } from "@/tests/every-read";
import { fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// A user without All Forms makes every call that reads, so that a new call that forgets to check the owner of a form is
// covered too. Holders of Audit Log may know the ids of all forms, so this user does not hold it.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const CANARY = "Zeisig";

let supervisor: Person;
let advocate: Person;
let reads: EveryRead;
/** Ids of a supervisor's forms: one with every field, one without minutes, which reports list as a gap. */
let formIds: number[];

const succeed = async (person: Person, method: Method, url: string, body: unknown) => {
  const response = await call(person.cookie, method, url, body);
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
  return response.body;
};

beforeAll(async () => {
  supervisor = await makeUser(ALL);
  advocate = await makeUser(ALL.filter((key) => key !== "all-forms" && key !== "audit-log"));
  // Ids large enough that a response contains them only on purpose.
  await rows(sql`SELECT setval('forms_id_seq', 8400000)`);
  const { id: clientId } = await makeClient(supervisor);
  const body = JSON.stringify(await fullForm("Service", clientId)).replaceAll("Childcare", CANARY);
  const full = (await succeed(supervisor, "POST", "/api/forms", { form: JSON.parse(body) })).form;
  const gap = await makeForm(supervisor, {}, clientId);
  const submission = { from: "2026-01-01", to: "2026-03-31" };
  const submitted = await succeed(supervisor, "POST", "/api/reports/pmt/submissions", { submission });
  await succeed(supervisor, "POST", `/api/forms/${full.id}/return`, { comment: `${CANARY} why?` });
  formIds = [full.id, gap.id];
  reads = {
    clientIds: [clientId],
    formIds,
    stayIds: [],
    userId: supervisor.id,
    submissionId: submitted.submission.id,
  };
});

const tracesIn = (body: unknown) =>
  [CANARY, ...formIds].filter((trace) => JSON.stringify(body).includes(String(trace)));

test("no read call reveals a colleague's form to a user without All Forms, while its owner sees it", async () => {
  const revealing = new Set<string>();
  for (const endpoint of endpoints.filter(({ method }) => method === "GET"))
    for (const url of addressesOf(endpoint, reads, CANARY.slice(0, 4))) {
      if (tracesIn((await call(supervisor.cookie, "GET", url)).body).length > 0) revealing.add(endpoint.path);
      const response = await call(advocate.cookie, "GET", url);
      expect(tracesIn(response.body), url).toEqual([]);
      expect(response.status, url).toBeLessThan(500);
    }
  expect([...revealing]).toEqual(
    expect.arrayContaining([
      "/api/forms",
      "/api/forms.csv",
      "/api/forms/{id}",
      "/api/forms/{id}/history",
      "/api/clients/{id}/record.json",
      "/api/reports/{key}/lines/{lineKey}",
      "/api/reports/{key}/lines/{lineKey}/records.csv",
      "/api/reports/{key}/gaps",
      "/api/reports/{key}/gaps/{field}/records.csv",
    ]),
  );
});
