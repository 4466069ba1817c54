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
import { OTHER_PASSWORD, PASSWORD } from "@/tests/accounts-helpers";
import { codeOf } from "@/tests/authenticator";
import { call, type Method } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

// Checks what endpoints declare about the audit trail. tests/call.ts checks their responses, and
// tests/access.test.ts their access.

let admin: Person;

beforeAll(async () => {
  admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  await db().user.update({ where: { id: admin.id }, data: { passwordHash: await hash(PASSWORD, 4) } });
});

const lastEvent = async () => (await db().auditEvent.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0n;

test("a successful call writes the audit events that its endpoint declares, and no others", async () => {
  const auditedCalls = new Set<string>();
  /** Calls the endpoint. `path` is the endpoint's path, with `{id}` in place of the record's id. */
  async function callEndpoint(
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
    if (entity) auditedCalls.add(`${method} ${path}`);
    return answer.body;
  }

  const { client } = await callEndpoint("POST", "/api/clients", { client: { name: "Ada" } });
  await callEndpoint("GET", "/api/clients");
  await callEndpoint("POST", "/api/clients/search", { search: "Ada" });
  await callEndpoint("POST", "/api/clients/similar", { name: "Ada" });
  await callEndpoint("GET", "/api/resource_lists/clients");
  await callEndpoint("POST", "/api/clients/{id}/printed", undefined, client.id);
  await callEndpoint("GET", "/api/clients/{id}/history", undefined, client.id);
  await callEndpoint("GET", "/api/audit_events");
  for (const list of [
    "audit_events",
    "forms",
    "clients",
    "contacts",
    "stays",
    "retention/clients",
    ...lookupKeys,
  ])
    for (const format of ["csv", "xlsx"]) await callEndpoint("GET", `/api/${list}.${format}`);
  await callEndpoint("GET", "/api/resource_lists/users");
  await callEndpoint("GET", "/api/clients/{id}", undefined, client.id);
  await callEndpoint("POST", "/api/clients/{id}/revealed", undefined, client.id);
  await callEndpoint("PUT", "/api/clients/{id}", { client: { name: "Ada Lovelace" } }, client.id);

  const { id: shelterId } = (
    await call(admin.cookie, "POST", "/api/shelters", { shelter: { name: "One", kind: "In-house", beds: 5 } })
  ).body.shelter;
  const { id: otherId } = (
    await call(admin.cookie, "POST", "/api/shelters", { shelter: { name: "Two", kind: "In-house", beds: 5 } })
  ).body.shelter;
  const { stay } = await callEndpoint("POST", "/api/stays", { stay: { clientId: client.id, shelterId } });
  await callEndpoint("GET", "/api/shelter");
  await callEndpoint("GET", "/api/stays");
  await callEndpoint("GET", "/api/stays/{id}", undefined, stay.id);
  await callEndpoint("PUT", "/api/stays/{id}", { stay: { shelterId, adults: 1 } }, stay.id);
  await callEndpoint("POST", "/api/stays/{id}/revealed", undefined, stay.id);
  await callEndpoint("GET", "/api/stays/{id}/history", undefined, stay.id);

  const input = { form: minimalForm(client.id, await formTypeId("Service")) };
  const { form } = await callEndpoint("POST", "/api/forms", input);
  await callEndpoint("GET", "/api/forms");
  await callEndpoint("GET", "/api/clients/{id}/record.json", undefined, client.id);
  const { stay: next } = await callEndpoint("POST", "/api/stays/{id}/move", { shelterId: otherId }, stay.id);
  for (const id of [stay.id, next.id]) await callEndpoint("DELETE", "/api/stays/{id}", undefined, id);
  await callEndpoint("GET", "/api/archive.zip");
  await callEndpoint("GET", "/api/forms/{id}", undefined, form.id);
  await callEndpoint("POST", "/api/forms/{id}/printed", undefined, form.id);
  await callEndpoint("GET", "/api/forms/{id}/history", undefined, form.id);
  await callEndpoint(
    "PUT",
    "/api/forms/{id}",
    { form: { ...input.form, verbalConfirmation: false } },
    form.id,
  );
  for (const reconciled of [true, false])
    await callEndpoint("POST", "/api/forms/{id}/reconcile", { reconciled }, form.id);
  await callEndpoint("POST", "/api/forms/reconcile", { ids: [form.id], reconciled: true });
  await callEndpoint("POST", "/api/forms/{id}/return", { comment: "Why?" }, form.id);
  await callEndpoint("POST", "/api/forms/{id}/comments", { text: "Because" }, form.id);
  for (const closedThrough of ["2020-12-31", null])
    await callEndpoint("PUT", "/api/closed_periods", { closedThrough });
  await callEndpoint("DELETE", "/api/forms/{id}", undefined, form.id);
  const { id: contactKindId } = await db().contactKind.findFirstOrThrow();
  const { contact } = await callEndpoint("POST", "/api/contacts", { contact: { contactKindId } });
  await callEndpoint("GET", "/api/contacts");
  await callEndpoint("GET", "/api/contacts/{id}", undefined, contact.id);
  await callEndpoint("PUT", "/api/contacts/{id}", { contact: { contactKindId, minutes: 5 } }, contact.id);
  await callEndpoint("GET", "/api/contacts/{id}/history", undefined, contact.id);
  await callEndpoint("DELETE", "/api/contacts/{id}", undefined, contact.id);
  const double = await makeClient(admin);
  await makeForm(admin, {}, double.id);
  const { lockVersion } = (await call(admin.cookie, "GET", `/api/clients/${client.id}`)).body.client;
  const both = { client: { name: "Ada", lockVersion }, other: { id: double.id, lockVersion: 0 } };
  const { merge } = await callEndpoint("POST", "/api/clients/{id}/merge", both, client.id);
  await callEndpoint("GET", "/api/clients/{id}/merges", undefined, client.id);
  await callEndpoint("POST", "/api/merges/{id}/undo", { keepChanged: false }, merge.id);
  const { id: colleagueId } = await makeUser();
  for (const userIds of [[colleagueId], [colleagueId], []])
    await callEndpoint("PUT", "/api/clients/{id}/restrictions", { userIds }, client.id);
  await callEndpoint("GET", "/api/clients/{id}/restrictions", undefined, client.id);
  const involvement = `/api/clients/${client.id}/restrictions/${colleagueId}`;
  await callEndpoint("GET", "/api/clients/{id}/restrictions/{userId}", undefined, "", involvement);
  await callEndpoint("PUT", "/api/clients/{id}/hold", { hold: { reason: "Appeal" } }, client.id);
  await callEndpoint("DELETE", "/api/clients/{id}/hold", undefined, client.id);
  await callEndpoint("PUT", "/api/retention", { retention: { years: 7, nightly: false } });
  await callEndpoint("GET", "/api/retention/clients");
  const old = await db().client.create({
    data: { name: "Old", createdOn: new Date(), userId: admin.id, updatedAt: new Date("2010-01-01") },
  });
  await callEndpoint("POST", "/api/retention/purge", { ids: [old.id] });
  await callEndpoint("DELETE", "/api/clients/{id}", undefined, client.id);

  const { id: importId } = await db().import.create({
    data: { kind: "clients", format: "csv", status: "done", uploadedById: admin.id },
  });
  await callEndpoint("GET", "/api/imports/{id}/failed.csv", undefined, importId);
  await callEndpoint("GET", "/api/imports");
  const sealed = new Uint8Array(sealNote(importId, { problem: "" }));
  const known = await makeClient(admin);
  await db().importNote.create({
    data: { importId, about: "similar", number: 2, clients: [known.id], sealed },
  });
  await callEndpoint("GET", "/api/imports/{id}", undefined, importId);
  const { id: begunId } = await db().import.create({
    data: { kind: "canines", format: "csv", status: "waiting", uploadedById: admin.id },
  });
  const headings = new Uint8Array(sealNote(begunId, { problem: "", cells: ["Name"] }));
  await db().importNote.create({
    data: { importId: begunId, about: "headings", number: 1, sealed: headings },
  });
  const start = { dryRun: false, matches: ["name"], ownerId: null };
  await callEndpoint("POST", "/api/imports/{id}/start", { import: start }, begunId);
  await callEndpoint("POST", "/api/imports/{id}/cancel", undefined, begunId);
  await db().importRow.create({
    data: { kind: "canines", key: "1", importId: begunId, recordId: 1, savedAt: new Date() },
  });
  await callEndpoint("POST", "/api/imports/{id}/undo", undefined, begunId);

  const { setup } = await callEndpoint("GET", "/api/reports/{key}/setup", undefined, "pmt");
  await callEndpoint("PUT", "/api/reports/{key}/setup", { setup }, "pmt");
  const quarter = { from: "2026-01-01", to: "2026-03-31" };
  const { submission } = await callEndpoint(
    "POST",
    "/api/reports/{key}/submissions",
    { submission: quarter },
    "pmt",
  );
  await callEndpoint("GET", "/api/reports/{key}/submissions", undefined, "pmt");
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
    await callEndpoint("GET", `/api/reports/{key}${rest}`, undefined, "", `/api/reports/pmt${at}`);
  for (const time of ["/api/reports/time", "/api/reports/time/csv"])
    await callEndpoint("GET", time, undefined, "", `${time}?from=2026-01-01&to=2026-03-31`);

  const { canine } = await callEndpoint("POST", "/api/canines", { canine: { name: "Rex" } });
  await callEndpoint("GET", "/api/canines");
  await callEndpoint("GET", "/api/canines/{id}", undefined, canine.id);
  await callEndpoint("PUT", "/api/canines/{id}", { canine: { name: "Rin" } }, canine.id);
  await callEndpoint("DELETE", "/api/canines/{id}", undefined, canine.id);

  await callEndpoint("PUT", "/api/drafts/{key}", { draft: { content: {} } }, "form-new");
  await callEndpoint("GET", "/api/drafts/{key}", undefined, "form-new");
  await callEndpoint("GET", "/api/drafts");

  const { role } = await callEndpoint("POST", "/api/roles", { role: { name: "Intern", permissionIds: [] } });
  await callEndpoint("GET", "/api/roles");
  await callEndpoint("GET", "/api/roles/{id}", undefined, role.id);
  await callEndpoint("PUT", "/api/roles/{id}", { role: { name: "Trainee" } }, role.id);
  const grace = { firstName: "Grace", lastName: "Hopper", email: "grace@example.org", roleId: role.id };
  const { user } = await callEndpoint("POST", "/api/users", { user: grace });
  await callEndpoint("GET", "/api/users");
  await callEndpoint("GET", "/api/users/{id}", undefined, user.id);
  await callEndpoint("POST", "/api/users/{id}/reset_password", undefined, user.id);
  await callEndpoint("PUT", "/api/users/{id}", { user: { ...grace, lastName: "Murray" } }, user.id);
  for (const active of [false, true])
    await callEndpoint("PUT", "/api/users/{id}", { user: { ...grace, active } }, user.id);
  for (const active of [false, true])
    await callEndpoint("PUT", "/api/users/{id}/active", { active }, user.id);
  await callEndpoint("DELETE", "/api/users/{id}/sessions", undefined, user.id);
  await db().twoStep.create({ data: { userId: user.id, secret: Buffer.from("sealed") } });
  await callEndpoint("DELETE", "/api/users/{id}/two_step", undefined, user.id);
  const { client: hers } = await callEndpoint("POST", "/api/clients", { client: { name: "Hers" } });
  await db().client.update({ where: { id: hers.id }, data: { userId: user.id } });
  await callEndpoint("POST", "/api/users/{id}/hand_over", { toUserId: admin.id }, user.id);
  await callEndpoint("DELETE", "/api/users/{id}", undefined, user.id);
  await callEndpoint("DELETE", "/api/roles/{id}", undefined, role.id);

  const clients = await db().permission.findFirstOrThrow({ where: { name: "Clients" } });
  const { apiToken } = await callEndpoint("POST", "/api/api_tokens", {
    apiToken: { name: "Nightly", expiresOn: today(), permissionIds: [clients.id] },
  });
  await callEndpoint("DELETE", "/api/api_tokens/{id}", undefined, apiToken.id);

  const { firstName, lastName, email } = admin;
  await callEndpoint("PUT", "/api/profile", { profile: { firstName, lastName, email } });

  const { twoStep } = await callEndpoint("POST", "/api/two_step");
  await callEndpoint("PUT", "/api/two_step", { otp: codeOf(twoStep.secret) });
  await callEndpoint("DELETE", "/api/two_step");

  const elsewhere = { userId: admin.id, userAgent: "test", id: randomUUID() };
  await db().session.create({ data: elsewhere });
  await callEndpoint("DELETE", "/api/sessions/{id}", undefined, elsewhere.id);
  await callEndpoint("DELETE", "/api/sessions");
  await callEndpoint("DELETE", "/api/logout");
  await callEndpoint("POST", "/api/login", { email, password: PASSWORD });
  const expiresAt = new Date(Date.now() + 60_000);
  const issue = async (kind: TokenKind) => {
    const token = randomToken();
    await db().token.create({
      data: { userId: admin.id, kind, tokenHash: tokenHash(token), expiresAt },
    });
    return token;
  };
  await db().user.update({ where: { id: admin.id }, data: { passwordHash: null } });
  await callEndpoint("GET", "/api/account/{token}/activate", undefined, await issue("activation"));
  const token = await issue("reset");
  const password = { password: OTHER_PASSWORD, passwordConfirmation: OTHER_PASSWORD };
  await callEndpoint("PUT", "/api/forgot_password", { token, ...password });

  // The other lists share one declaration with canines.
  const likeCanines = new RegExp(`^/api/(?!canines|users|roles)(${lookupKeys.join("|")})(/|$)`);
  const audited = endpoints
    // Single sign-on needs a provider: tests/sign-on.test.ts covers it.
    .filter(({ audit, path }) => audit && !likeCanines.test(path) && !path.startsWith("/api/oidc/"))
    .map(({ method, path }) => `${method} ${path}`);
  expect([...auditedCalls].sort()).toEqual(audited.sort());
});

test("no two endpoints have the same method and path", () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(names.length).toBe(new Set(names).size);
});
