import { randomUUID } from "node:crypto";
import { hash } from "bcryptjs";
import { beforeAll, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { today } from "@/lib/core/fields/format";
import { endpoints } from "@/lib/endpoints";
import { randomToken, type TokenKind, tokenHash } from "@/lib/identity/mail/link-token";
import { lookupKeys } from "@/lib/lookups/registry";
import { sealNote } from "@/lib/transfer/imports/notes";
import { OTHER_PASSWORD, PASSWORD } from "@/tests/accounts-help";
import { codeOf } from "@/tests/authenticator";
import { call, type Method } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

// What the declarations of endpoints promise beside their answers, which every call of the tests is compared with
// (tests/call.ts), and their access (tests/access.test.ts).

let admin: Person;

beforeAll(async () => {
  admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  await db().user.update({ where: { id: admin.id }, data: { passwordHash: await hash(PASSWORD, 4) } });
});

const lastEvent = async () => (await db().auditEvent.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0n;

test("a success writes into the audit trail what its endpoint declares, and nothing else", async () => {
  const seen = new Set<string>();
  /** The call's answer; `path` is the endpoint's, with `{id}` in place of the record's. */
  async function calling(
    method: Method,
    path: string,
    body?: object,
    id?: number | string,
    url = path.replace(/\{\w+\}/, String(id)),
  ) {
    const before = await lastEvent();
    const answer = await call(admin.cookie, method, url, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    const events = await db().auditEvent.findMany({ where: { id: { gt: before } }, orderBy: { id: "asc" } });
    const declared = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);
    expect(declared, path).toBeDefined();
    const { entity, action } = declared?.audit ?? {};
    const written = events.map((event) => event.entity);
    expect(written, `${method} ${path}`).toEqual(entity ? [entity].flat() : []);
    for (const event of events) {
      expect(event.userId).toEqual(admin.id);
      expect([action].flat(), `${method} ${path}`).toContain(event.action);
    }
    if (entity) seen.add(`${method} ${path}`);
    return answer.body;
  }

  const { client } = await calling("POST", "/api/clients", { client: { name: "Ada" } });
  await calling("GET", "/api/clients");
  await calling("POST", "/api/clients/search", { search: "Ada" });
  await calling("POST", "/api/clients/similar", { name: "Ada" });
  await calling("GET", "/api/resource_lists/clients");
  await calling("POST", "/api/clients/{id}/printed", undefined, client.id);
  await calling("GET", "/api/clients/{id}/history", undefined, client.id);
  await calling("GET", "/api/audit_events");
  for (const list of ["audit_events", "forms", "clients", "retention/clients", ...lookupKeys])
    for (const format of ["csv", "xlsx"]) await calling("GET", `/api/${list}.${format}`);
  await calling("GET", "/api/resource_lists/users");
  await calling("GET", "/api/clients/{id}", undefined, client.id);
  await calling("POST", "/api/clients/{id}/revealed", undefined, client.id);
  await calling("PUT", "/api/clients/{id}", { client: { name: "Ada Lovelace" } }, client.id);

  const sent = { form: minimalForm(client.id, await formTypeId("Service")) };
  const { form } = await calling("POST", "/api/forms", sent);
  await calling("GET", "/api/forms");
  await calling("GET", "/api/clients/{id}/record.json", undefined, client.id);
  await calling("GET", "/api/archive.zip");
  await calling("GET", "/api/forms/{id}", undefined, form.id);
  await calling("POST", "/api/forms/{id}/printed", undefined, form.id);
  await calling("GET", "/api/forms/{id}/history", undefined, form.id);
  await calling("PUT", "/api/forms/{id}", { form: { ...sent.form, verbalConfirmation: false } }, form.id);
  for (const reconciled of [true, false])
    await calling("POST", "/api/forms/{id}/reconcile", { reconciled }, form.id);
  await calling("POST", "/api/forms/reconcile", { ids: [form.id], reconciled: true });
  await calling("POST", "/api/forms/{id}/return", { comment: "Why?" }, form.id);
  for (const closedThrough of ["2020-12-31", null])
    await calling("PUT", "/api/closed_periods", { closedThrough });
  await calling("DELETE", "/api/forms/{id}", undefined, form.id);
  const double = await makeClient(admin);
  await makeForm(admin, {}, double.id);
  const { lockVersion } = (await call(admin.cookie, "GET", `/api/clients/${client.id}`)).body.client;
  const both = { client: { name: "Ada", lockVersion }, other: { id: double.id, lockVersion: 0 } };
  const { merge } = await calling("POST", "/api/clients/{id}/merge", both, client.id);
  await calling("GET", "/api/clients/{id}/merges", undefined, client.id);
  await calling("POST", "/api/merges/{id}/undo", { keepChanged: false }, merge.id);
  const { id: colleagueId } = await makeUser();
  for (const userIds of [[colleagueId], [colleagueId], []])
    await calling("PUT", "/api/clients/{id}/restrictions", { userIds }, client.id);
  await calling("GET", "/api/clients/{id}/restrictions", undefined, client.id);
  const involvement = `/api/clients/${client.id}/restrictions/${colleagueId}`;
  await calling("GET", "/api/clients/{id}/restrictions/{userId}", undefined, "", involvement);
  await calling("PUT", "/api/clients/{id}/hold", { hold: { reason: "Appeal" } }, client.id);
  await calling("DELETE", "/api/clients/{id}/hold", undefined, client.id);
  await calling("PUT", "/api/retention", { retention: { years: 7, nightly: false } });
  await calling("GET", "/api/retention/clients");
  const old = await db().client.create({
    data: { name: "Old", createdOn: new Date(), userId: admin.id, updatedAt: new Date("2010-01-01") },
  });
  await calling("POST", "/api/retention/purge", { ids: [old.id] });
  await calling("DELETE", "/api/clients/{id}", undefined, client.id);

  const { id: importId } = await db().import.create({
    data: { kind: "clients", format: "csv", status: "done", uploadedById: admin.id },
  });
  await calling("GET", "/api/imports/{id}/failed.csv", undefined, importId);
  await calling("GET", "/api/imports");
  const sealed = new Uint8Array(sealNote(importId, { problem: "" }));
  const known = await makeClient(admin);
  await db().importNote.create({
    data: { importId, about: "similar", number: 2, clients: [known.id], sealed },
  });
  await calling("GET", "/api/imports/{id}", undefined, importId);
  const { id: begunId } = await db().import.create({
    data: { kind: "canines", format: "csv", status: "waiting", uploadedById: admin.id },
  });
  const headings = new Uint8Array(sealNote(begunId, { problem: "", cells: ["Name"] }));
  await db().importNote.create({
    data: { importId: begunId, about: "headings", number: 1, sealed: headings },
  });
  const start = { dryRun: false, matches: ["name"], ownerId: null };
  await calling("POST", "/api/imports/{id}/start", { import: start }, begunId);
  await calling("POST", "/api/imports/{id}/cancel", undefined, begunId);
  await db().importRow.create({
    data: { kind: "canines", key: "1", importId: begunId, recordId: 1, savedAt: new Date() },
  });
  await calling("POST", "/api/imports/{id}/undo", undefined, begunId);

  const { setup } = await calling("GET", "/api/reports/{key}/setup", undefined, "pmt");
  await calling("PUT", "/api/reports/{key}/setup", { setup }, "pmt");
  const quarter = { from: "2026-01-01", to: "2026-03-31" };
  const { submission } = await calling(
    "POST",
    "/api/reports/{key}/submissions",
    { submission: quarter },
    "pmt",
  );
  await calling("GET", "/api/reports/{key}/submissions", undefined, "pmt");
  for (const [rest, at] of [
    ["/submissions/{id}", `/submissions/${submission.id}`],
    ["/lines/{lineKey}", "/lines/individuals_served?from=2026-01-01&to=2026-03-31"],
    ["/gaps", "/gaps?from=2026-01-01&to=2026-03-31"],
    ["/csv", "/csv?from=2026-01-01&to=2026-03-31"],
    ...["csv", "xlsx"].flatMap((format) => [
      [
        `/lines/{lineKey}/records.${format}`,
        `/lines/individuals_served/records.${format}?from=2026-01-01&to=2026-03-31`,
      ],
      [`/gaps/{field}/records.${format}`, `/gaps/race/records.${format}?from=2026-01-01&to=2026-03-31`],
      [`/submissions/{id}/changes.${format}`, `/submissions/${submission.id}/changes.${format}`],
    ]),
  ])
    await calling("GET", `/api/reports/{key}${rest}`, undefined, "", `/api/reports/pmt${at}`);
  for (const time of ["/api/reports/time", "/api/reports/time/csv"])
    await calling("GET", time, undefined, "", `${time}?from=2026-01-01&to=2026-03-31`);

  const { canine } = await calling("POST", "/api/canines", { canine: { name: "Rex" } });
  await calling("GET", "/api/canines");
  await calling("GET", "/api/canines/{id}", undefined, canine.id);
  await calling("PUT", "/api/canines/{id}", { canine: { name: "Rin" } }, canine.id);
  await calling("DELETE", "/api/canines/{id}", undefined, canine.id);

  await calling("PUT", "/api/drafts/{key}", { draft: { content: {} } }, "form-new");
  await calling("GET", "/api/drafts/{key}", undefined, "form-new");
  await calling("GET", "/api/drafts");

  const { role } = await calling("POST", "/api/roles", { role: { name: "Intern", permissionIds: [] } });
  await calling("GET", "/api/roles");
  await calling("GET", "/api/roles/{id}", undefined, role.id);
  await calling("PUT", "/api/roles/{id}", { role: { name: "Trainee" } }, role.id);
  const grace = { firstName: "Grace", lastName: "Hopper", email: "grace@example.org", roleId: role.id };
  const { user } = await calling("POST", "/api/users", { user: grace });
  await calling("GET", "/api/users");
  await calling("GET", "/api/users/{id}", undefined, user.id);
  await calling("POST", "/api/users/{id}/reset_password", undefined, user.id);
  await calling("PUT", "/api/users/{id}", { user: { ...grace, lastName: "Murray" } }, user.id);
  for (const active of [false, true])
    await calling("PUT", "/api/users/{id}", { user: { ...grace, active } }, user.id);
  for (const active of [false, true]) await calling("PUT", "/api/users/{id}/active", { active }, user.id);
  await calling("DELETE", "/api/users/{id}/sessions", undefined, user.id);
  await db().twoStep.create({ data: { userId: user.id, secret: Buffer.from("sealed") } });
  await calling("DELETE", "/api/users/{id}/two_step", undefined, user.id);
  const { client: hers } = await calling("POST", "/api/clients", { client: { name: "Hers" } });
  await db().client.update({ where: { id: hers.id }, data: { userId: user.id } });
  await calling("POST", "/api/users/{id}/hand_over", { toUserId: admin.id }, user.id);
  await calling("DELETE", "/api/users/{id}", undefined, user.id);
  await calling("DELETE", "/api/roles/{id}", undefined, role.id);

  const clients = await db().permission.findFirstOrThrow({ where: { name: "Clients" } });
  const { apiToken } = await calling("POST", "/api/api_tokens", {
    apiToken: { name: "Nightly", expiresOn: today(), permissionIds: [clients.id] },
  });
  await calling("DELETE", "/api/api_tokens/{id}", undefined, apiToken.id);

  const { firstName, lastName, email } = admin;
  await calling("PUT", "/api/profile", { profile: { firstName, lastName, email } });

  const { twoStep } = await calling("POST", "/api/two_step");
  await calling("PUT", "/api/two_step", { otp: codeOf(twoStep.secret) });
  await calling("DELETE", "/api/two_step");

  const elsewhere = { userId: admin.id, userAgent: "test", id: randomUUID() };
  await db().session.create({ data: elsewhere });
  await calling("DELETE", "/api/sessions/{id}", undefined, elsewhere.id);
  await calling("DELETE", "/api/sessions");
  await calling("DELETE", "/api/logout");
  await calling("POST", "/api/login", { email, password: PASSWORD });
  const expiresAt = new Date(Date.now() + 60_000);
  const issue = async (kind: TokenKind) => {
    const token = randomToken();
    await db().token.create({
      data: { userId: admin.id, kind, tokenHash: tokenHash(token), expiresAt },
    });
    return token;
  };
  await db().user.update({ where: { id: admin.id }, data: { passwordHash: null } });
  await calling("GET", "/api/account/{token}/activate", undefined, await issue("activation"));
  const token = await issue("reset");
  const password = { password: OTHER_PASSWORD, passwordConfirmation: OTHER_PASSWORD };
  await calling("PUT", "/api/forgot_password", { token, ...password });

  // The other lists are as these: one declaration for all of them.
  const likeCanines = new RegExp(`^/api/(?!canines|users|roles)(${lookupKeys.join("|")})(/|$)`);
  const audited = endpoints
    // Single sign-on takes a provider: tests/sign-on.test.ts.
    .filter(({ audit, path }) => audit && !likeCanines.test(path) && !path.startsWith("/api/oidc/"))
    .map(({ method, path }) => `${method} ${path}`);
  expect([...seen].sort()).toEqual(audited.sort());
});

test("no two endpoints have the same method and path", () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(names.length).toBe(new Set(names).size);
});
