import { randomUUID } from "node:crypto";
import { hash } from "bcryptjs";
import { beforeAll, describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import type { Endpoint } from "@/lib/core/api/endpoint";
import { db } from "@/lib/core/database/client";
import { isRecord } from "@/lib/core/objects";
import { today } from "@/lib/core/text/format";
import { endpoints } from "@/lib/endpoints";
import { randomToken, type TokenKind, tokenHash } from "@/lib/identity/mail/link-token";
import { lookupKeys } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";
import { sealNote } from "@/lib/transfer/imports/notes";
import { OTHER_PASSWORD, PASSWORD } from "@/tests/accounts-helpers";
import { codeOf } from "@/tests/authenticator";
import { call, type Method } from "@/tests/call";
import {
  formTypeId,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";
import { bodyOf, valuesFor } from "@/tests/records";

// Checks what endpoints declare about the audit trail. tests/call.ts checks their responses, and
// tests/access.test.ts their access.

let admin: Person;

beforeAll(async () => {
  admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
  await db().user.update({ where: { id: admin.id }, data: { passwordHash: await hash(PASSWORD, 4) } });
});

/** Everything that the responses and steps so far have made, by name: `made.client`. */
// biome-ignore lint/suspicious/noExplicitAny: parts of any response
const made: Record<string, any> = {};

/** The id or key in an endpoint's path, or the whole URL, and the body. */
type Values = { id?: number | string; url?: string; body?: object };
/** A call of an endpoint (method and path), and a function that prepares it and returns its values. */
type Step = [endpoint: string, prepare?: () => Values | Promise<Values>];

const ofClient = (): Values => ({ id: made.client.id });
const ofForm = (): Values => ({ id: made.form.id });
const ofContact = (): Values => ({ id: made.contact.id });
/** The calls of a declared record; `made` has the last one. */
const stepsOf = (key: (typeof recordKeys)[number]): Step[] => {
  const { entity } = records[key];
  const ofRecord = (): Values => ({ id: made[entity].id });
  return [
    [`POST /api/${key}`, async () => ({ body: bodyOf(key, await valuesFor(key)) })],
    [`GET /api/${key}`],
    [`GET /api/${key}/{id}`, ofRecord],
    [`PUT /api/${key}/{id}`, async () => ({ ...ofRecord(), body: bodyOf(key, await valuesFor(key, true)) })],
    [`GET /api/${key}/{id}/history`, ofRecord],
    [`DELETE /api/${key}/{id}`, ofRecord],
  ];
};
const ofField = (): Values => ({ id: "client.clientBiographicalEntry.city" });
const ofCustomField = (): Values => ({ id: made.field.id });
const customField = { record: "form", section: "", label: "Housing need", kind: "text" };
const ofImport = (): Values => ({ id: made.importId });
const ofUser = (): Values => ({ id: made.user.id });
const ofPmt = (): Values => ({ id: "pmt" });

const makeShelter = async (name: string): Promise<number> => {
  const shelter = { name, kind: "In-house", beds: 5 };
  return (await call(admin.cookie, "POST", "/api/shelters", { shelter })).body.shelter.id;
};
const ofStay = (): Values => ({ id: made.stay.id });
const STAYS: Step[] = [
  [
    "POST /api/stays",
    async () => ({ body: { stay: { clientId: made.client.id, shelterId: await makeShelter("One") } } }),
  ],
  ["GET /api/shelter"],
  ["GET /api/stays"],
  ["GET /api/stays/{id}", ofStay],
  [
    "PUT /api/stays/{id}",
    () => ({ ...ofStay(), body: { stay: { shelterId: made.stay.shelterId, adults: 1 } } }),
  ],
  ["POST /api/stays/{id}/revealed", ofStay],
  ["GET /api/stays/{id}/history", ofStay],
];

const CLIENTS_AND_FORMS: Step[] = [
  ["POST /api/clients", () => ({ body: { client: { name: "Ada" } } })],
  ["GET /api/clients"],
  ["POST /api/clients/search", () => ({ body: { search: "Ada" } })],
  ["POST /api/clients/similar", () => ({ body: { name: "Ada" } })],
  ["GET /api/resource_lists/clients"],
  ["POST /api/clients/{id}/printed", ofClient],
  ["GET /api/clients/{id}/history", ofClient],
  ["GET /api/audit_events"],
  ...[
    "audit_events",
    "forms",
    "clients",
    "contacts",
    "stays",
    "retention/clients",
    ...recordKeys,
    ...lookupKeys,
  ].flatMap((list) => ["csv", "xlsx"].map((format): Step => [`GET /api/${list}.${format}`])),
  ["GET /api/resource_lists/users"],
  ["GET /api/clients/{id}", ofClient],
  ["POST /api/clients/{id}/revealed", ofClient],
  ["POST /api/clients/{id}/compared", () => ({ ...ofClient(), body: { phoneNumbers: [] } })],
  ["PUT /api/clients/{id}", () => ({ ...ofClient(), body: { client: { name: "Ada Lovelace" } } })],
  ...STAYS,
  [
    "POST /api/forms",
    async () => ({ body: { form: minimalForm(made.client.id, await formTypeId("Service")) } }),
  ],
  ["GET /api/forms"],
  [
    "GET /api/clients/{id}/suggestions",
    async () => {
      const { id } = await makeClient(admin);
      await makeForm(admin, await fullForm("Survivor", id), id);
      return { id };
    },
  ],
  ["GET /api/clients/{id}/record.json", ofClient],
  ["GET /api/archive.zip"],
  ["GET /api/forms/{id}", ofForm],
  ["POST /api/forms/{id}/printed", ofForm],
  ["GET /api/forms/{id}/history", ofForm],
  [
    "PUT /api/forms/{id}",
    () => {
      const form = { ...minimalForm(made.client.id, made.form.formTypeId), verbalConfirmation: false };
      return { ...ofForm(), body: { form } };
    },
  ],
  ["POST /api/forms/{id}/reconcile", () => ({ ...ofForm(), body: { reconciled: true } })],
  ["POST /api/forms/{id}/reconcile", () => ({ ...ofForm(), body: { reconciled: false } })],
  ["POST /api/forms/reconcile", () => ({ body: { ids: [made.form.id], reconciled: true } })],
  ["POST /api/forms/{id}/return", () => ({ ...ofForm(), body: { comment: "Why?" } })],
  ["POST /api/forms/{id}/comments", () => ({ ...ofForm(), body: { text: "Because" } })],
  ["POST /api/fields", () => ({ body: { field: customField } })],
  ["PUT /api/fields/{id}", () => ({ ...ofCustomField(), body: { field: { ...customField, hint: "Ask." } } })],
  ["DELETE /api/fields/{id}", ofCustomField],
  ["PUT /api/field_settings/{path}", () => ({ ...ofField(), body: { fieldSetting: { hint: "In years." } } })],
  ["DELETE /api/field_settings/{path}", () => ofField()],
  [
    "PUT /api/field_order",
    () => ({ body: { fieldOrder: { fields: ["client.clientBiographicalEntry.city"] } } }),
  ],
  ["PUT /api/closed_periods", () => ({ body: { closedThrough: "2020-12-31" } })],
  ["PUT /api/closed_periods", () => ({ body: { closedThrough: null } })],
  ["DELETE /api/forms/{id}", ofForm],
];

const CONTACTS: Step[] = [
  [
    "POST /api/contacts",
    async () => ({ body: { contact: { contactKindId: (await db().contactKind.findFirstOrThrow()).id } } }),
  ],
  ["GET /api/contacts"],
  ["GET /api/contacts/{id}", ofContact],
  [
    "PUT /api/contacts/{id}",
    () => ({ ...ofContact(), body: { contact: { contactKindId: made.contact.contactKindId, minutes: 5 } } }),
  ],
  ["GET /api/contacts/{id}/history", ofContact],
  ["DELETE /api/contacts/{id}", ofContact],
  ...recordKeys.flatMap(stepsOf),
];

const ENDED_STAYS: Step[] = [
  [
    "POST /api/stays/{id}/move",
    async () => {
      made.endedStayId = made.stay.id;
      return { ...ofStay(), body: { shelterId: await makeShelter("Two") } };
    },
  ],
  ["DELETE /api/stays/{id}", () => ({ id: made.endedStayId })],
  ["DELETE /api/stays/{id}", ofStay],
];

const MERGES_AND_RETENTION: Step[] = [
  [
    "POST /api/clients/{id}/merge",
    async () => {
      const double = await makeClient(admin);
      await makeForm(admin, {}, double.id);
      const { lockVersion } = (await call(admin.cookie, "GET", `/api/clients/${made.client.id}`)).body.client;
      const other = { id: double.id, lockVersion: 0 };
      return { ...ofClient(), body: { client: { name: "Ada", lockVersion }, other } };
    },
  ],
  ["GET /api/clients/{id}/merges", ofClient],
  ["POST /api/merges/{id}/undo", () => ({ id: made.merge.id, body: { keepChanged: false } })],
  [
    "PUT /api/clients/{id}/restrictions",
    async () => {
      made.colleague = await makeUser();
      return { ...ofClient(), body: { userIds: [made.colleague.id] } };
    },
  ],
  ["PUT /api/clients/{id}/restrictions", () => ({ ...ofClient(), body: { userIds: [made.colleague.id] } })],
  ["PUT /api/clients/{id}/restrictions", () => ({ ...ofClient(), body: { userIds: [] } })],
  ["GET /api/clients/{id}/restrictions", ofClient],
  [
    "GET /api/clients/{id}/restrictions/{userId}",
    () => ({ url: `/api/clients/${made.client.id}/restrictions/${made.colleague.id}` }),
  ],
  ["PUT /api/clients/{id}/hold", () => ({ ...ofClient(), body: { hold: { reason: "Appeal" } } })],
  ["DELETE /api/clients/{id}/hold", ofClient],
  ["PUT /api/organization", () => ({ body: { organization: { shortName: "SH" } } })],
  ["PUT /api/retention", () => ({ body: { retention: { years: 7, nightly: false } } })],
  ["GET /api/retention/clients"],
  [
    "POST /api/retention/purge",
    async () => {
      const { id } = await db().client.create({
        data: { name: "Old", createdOn: new Date(), userId: admin.id, updatedAt: new Date("2010-01-01") },
      });
      return { body: { ids: [id] } };
    },
  ],
  ["DELETE /api/clients/{id}", ofClient],
];

async function makeImport(kind: string, status: string): Promise<Values> {
  const data = { kind, format: "csv", status, uploadedById: admin.id };
  made.importId = (await db().import.create({ data })).id;
  return ofImport();
}
async function addNote(about: string, number: number, note: object, clients: number[] = []): Promise<Values> {
  const sealed = new Uint8Array(sealNote(made.importId, { problem: "", ...note }));
  await db().importNote.create({ data: { importId: made.importId, about, number, clients, sealed } });
  return ofImport();
}
const IMPORTS: Step[] = [
  ["GET /api/imports/{id}/failed.csv", () => makeImport("clients", "done")],
  ["GET /api/imports"],
  ["GET /api/imports/{id}", async () => addNote("similar", 2, {}, [(await makeClient(admin)).id])],
  [
    "POST /api/imports/{id}/start",
    async () => {
      await makeImport("canines", "waiting");
      const begin = { dryRun: false, matches: ["name"], ownerId: null };
      return { ...(await addNote("headings", 1, { cells: ["Name"] })), body: { import: begin } };
    },
  ],
  [
    "PUT /api/imports/{id}/headings",
    async () => {
      const raw = "Name\nRex\nKim";
      const headers = { "content-type": "text/csv" };
      const sent = await call(admin.cookie, "POST", "/api/imports?kind=canines", undefined, { raw, headers });
      made.importId = sent.body.import.id;
      return { ...ofImport(), body: { import: { headingRow: 2 } } };
    },
  ],
  ["POST /api/imports/{id}/cancel", ofImport],
  [
    "POST /api/imports/{id}/undo",
    async () => {
      const data = { kind: "canines", key: "1", importId: made.importId, recordId: 1, savedAt: new Date() };
      await db().importRow.create({ data });
      return ofImport();
    },
  ],
];

const QUARTER = { from: "2026-01-01", to: "2026-03-31" };
const inQuarter = (path: string) => (): Values => ({ url: `${path}?${new URLSearchParams(QUARTER)}` });
const ofSubmission = (rest: string) => (): Values => ({
  url: `/api/reports/pmt/submissions/${made.submission.id}${rest}`,
});
const REPORTS: Step[] = [
  ["GET /api/reports/{key}/setup", ofPmt],
  ["PUT /api/reports/{key}/setup", () => ({ ...ofPmt(), body: { setup: made.setup } })],
  ["POST /api/reports/{key}/submissions", () => ({ ...ofPmt(), body: { submission: QUARTER } })],
  ["GET /api/reports/{key}/submissions", ofPmt],
  ["GET /api/reports/{key}/submissions/{id}", ofSubmission("")],
  [
    "POST /api/reports/{key}/submissions/{id}/withdraw",
    () => ({ ...ofSubmission("/withdraw")(), body: { reason: "The wrong quarter" } }),
  ],
  ["GET /api/reports/{key}/lines/{lineKey}", inQuarter("/api/reports/pmt/lines/individuals_served")],
  ["GET /api/reports/{key}/gaps", inQuarter("/api/reports/pmt/gaps")],
  ["GET /api/reports/{key}/csv", inQuarter("/api/reports/pmt/csv")],
  ...["csv", "xlsx"].flatMap((format): Step[] => [
    [
      `GET /api/reports/{key}/lines/{lineKey}/records.${format}`,
      inQuarter(`/api/reports/pmt/lines/individuals_served/records.${format}`),
    ],
    [
      `GET /api/reports/{key}/gaps/{field}/records.${format}`,
      inQuarter(`/api/reports/pmt/gaps/race/records.${format}`),
    ],
    [`GET /api/reports/{key}/submissions/{id}/changes.${format}`, ofSubmission(`/changes.${format}`)],
  ]),
  ["GET /api/reports/time", inQuarter("/api/reports/time")],
  ["GET /api/reports/time/csv", inQuarter("/api/reports/time/csv")],
];

const SETTINGS_AND_DRAFTS: Step[] = [
  ["POST /api/canines", () => ({ body: { canine: { name: "Rex" } } })],
  ["GET /api/canines"],
  ["GET /api/canines/{id}", () => ({ id: made.canine.id })],
  ["PUT /api/canines/{id}", () => ({ id: made.canine.id, body: { canine: { name: "Rin" } } })],
  ["DELETE /api/canines/{id}", () => ({ id: made.canine.id })],
  ["PUT /api/drafts/{key}", () => ({ id: "form-new", body: { draft: { content: {} } } })],
  ["GET /api/drafts/{key}", () => ({ id: "form-new" })],
  ["GET /api/drafts"],
];

const grace = (more: object = {}) => {
  const firstName = "Grace";
  const lastName = "Hopper";
  const email = "grace@example.org";
  return { body: { user: { firstName, lastName, email, roleId: made.role.id, ...more } } };
};
const ACCOUNTS: Step[] = [
  ["POST /api/roles", () => ({ body: { role: { name: "Intern", permissionIds: [] } } })],
  ["GET /api/roles"],
  ["GET /api/roles/{id}", () => ({ id: made.role.id })],
  ["PUT /api/roles/{id}", () => ({ id: made.role.id, body: { role: { name: "Trainee" } } })],
  ["POST /api/users", grace],
  ["GET /api/users"],
  ["GET /api/users/{id}", ofUser],
  ["POST /api/users/{id}/reset_password", ofUser],
  ["PUT /api/users/{id}", () => ({ ...ofUser(), ...grace({ lastName: "Murray" }) })],
  ["PUT /api/users/{id}", () => ({ ...ofUser(), ...grace({ active: false }) })],
  ["PUT /api/users/{id}", () => ({ ...ofUser(), ...grace({ active: true }) })],
  ["PUT /api/users/{id}/active", () => ({ ...ofUser(), body: { active: false } })],
  ["PUT /api/users/{id}/active", () => ({ ...ofUser(), body: { active: true } })],
  ["DELETE /api/users/{id}/sessions", ofUser],
  [
    "DELETE /api/users/{id}/two_step",
    async () => {
      await db().twoStep.create({ data: { userId: made.user.id, secret: Buffer.from("sealed") } });
      return ofUser();
    },
  ],
  ["POST /api/clients", () => ({ body: { client: { name: "Hers" } } })],
  [
    "POST /api/users/{id}/hand_over",
    async () => {
      await db().client.update({ where: { id: made.client.id }, data: { userId: made.user.id } });
      return { ...ofUser(), body: { toUserId: admin.id } };
    },
  ],
  ["DELETE /api/users/{id}", ofUser],
  ["DELETE /api/roles/{id}", () => ({ id: made.role.id })],
];

/** Stores a mailed token of the administrator's account and returns it. */
async function issueToken(kind: TokenKind): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(Date.now() + 60_000);
  await db().token.create({ data: { userId: admin.id, kind, tokenHash: tokenHash(token), expiresAt } });
  return token;
}
/** These steps end the caller's session. */
const OWN_ACCOUNT: Step[] = [
  [
    "POST /api/api_tokens",
    async () => {
      const { id } = await db().permission.findFirstOrThrow({ where: { name: "Clients" } });
      return { body: { apiToken: { name: "Nightly", expiresOn: today(), permissionIds: [id] } } };
    },
  ],
  ["DELETE /api/api_tokens/{id}", () => ({ id: made.apiToken.id })],
  [
    "PUT /api/profile",
    () => {
      const { firstName, lastName, email } = admin;
      return { body: { profile: { firstName, lastName, email } } };
    },
  ],
  ["POST /api/two_step"],
  ["PUT /api/two_step", () => ({ body: { otp: codeOf(made.twoStep.secret) } })],
  ["DELETE /api/two_step"],
  [
    "DELETE /api/sessions/{id}",
    async () => db().session.create({ data: { userId: admin.id, userAgent: "test", id: randomUUID() } }),
  ],
  ["DELETE /api/sessions"],
  ["DELETE /api/logout"],
  ["POST /api/login", () => ({ body: { email: admin.email, password: PASSWORD } })],
  [
    "GET /api/account/{token}/activate",
    async () => {
      await db().user.update({ where: { id: admin.id }, data: { passwordHash: null } });
      return { id: await issueToken("activation") };
    },
  ],
  [
    "PUT /api/forgot_password",
    async () => {
      const password = { password: OTHER_PASSWORD, passwordConfirmation: OTHER_PASSWORD };
      return { body: { token: await issueToken("reset"), ...password } };
    },
  ],
];

const ofGroup = (): Values => ({ id: made.group.id });
const sessionUrl = (more = "") => ({ url: `/api/groups/${made.group.id}/sessions${more}` });
const ofSession = (more = "") => sessionUrl(`/${made.groupSession.id}${more}`);
const GROUPS: Step[] = [
  [
    "POST /api/groups",
    async () => {
      const formType = await db().formType.findUniqueOrThrow({ where: { name: "Service" } });
      const code = await db().serviceCode.findUniqueOrThrow({ where: { code: "COUNSEL-GRP" } });
      return {
        body: {
          group: {
            name: "Evening",
            formTypeId: formType.id,
            serviceCodeId: code.id,
            usualMinutes: 60,
            leaderIds: [admin.id],
          },
        },
      };
    },
  ],
  ["GET /api/groups"],
  ["GET /api/groups.csv"],
  ["GET /api/groups.xlsx"],
  ["GET /api/groups/{id}", ofGroup],
  ["PUT /api/groups/{id}", () => ({ ...ofGroup(), body: { group: { usualMinutes: 90 } } })],
  ["GET /api/groups/{id}/history", ofGroup],
  ["POST /api/groups/{id}/printed", () => ({ ...ofGroup(), body: { clientIds: [made.client.id] } })],
  [
    "POST /api/groups/{id}/sessions",
    () => ({
      ...sessionUrl(),
      body: { groupSession: { minutes: 90, leadersAttributes: [{ userId: admin.id, minutes: 90 }] } },
    }),
  ],
  ["GET /api/groups/{id}/sessions", () => sessionUrl()],
  ["GET /api/groups/{id}/sessions.csv", () => sessionUrl(".csv")],
  ["GET /api/groups/{id}/sessions.xlsx", () => sessionUrl(".xlsx")],
  ["GET /api/groups/{id}/sessions/{sessionId}", () => ofSession()],
  [
    "PUT /api/groups/{id}/sessions/{sessionId}",
    () => ({ ...ofSession(), body: { groupSession: { unnamed: 1 } } }),
  ],
  ["GET /api/groups/{id}/sessions/{sessionId}/history", () => ofSession("/history")],
  ["DELETE /api/groups/{id}/sessions/{sessionId}", () => ofSession()],
  ["DELETE /api/groups/{id}", ofGroup],
];

/** Every audited endpoint, in an order in which each step finds what those before it have made. */
const STEPS: Step[] = [
  ...CLIENTS_AND_FORMS,
  ...ENDED_STAYS,
  ...CONTACTS,
  ...GROUPS,
  ...MERGES_AND_RETENTION,
  ...IMPORTS,
  ...REPORTS,
  ...SETTINGS_AND_DRAFTS,
  ...ACCOUNTS,
  ...OWN_ACCOUNT,
];

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const lastEvent = async () => (await db().auditEvent.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0n;

describe("a successful call", () => {
  test.each(STEPS)("of %s writes the audit events that it declares, and no others", async (name, prepare) => {
    const { id, url, body } = (await prepare?.()) ?? {};
    const [method, path = ""] = name.split(" ");
    const before = await lastEvent();
    const answer = await call(
      admin.cookie,
      method as Method,
      url ?? path.replace(/\{\w+\}/, String(id)),
      body,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    if (isRecord(answer.body)) Object.assign(made, answer.body);
    const events = await db().auditEvent.findMany({ where: { id: { gt: before } }, orderBy: { id: "asc" } });
    const declared = endpoints.find((endpoint) => nameOf(endpoint) === name);
    expect(declared).toBeDefined();
    const { entity, action } = declared?.audit ?? {};
    expect(events.map((event) => event.entity)).toEqual(entity ? [entity].flat() : []);
    for (const event of events) {
      expect(event.userId).toEqual(admin.id);
      expect([action].flat()).toContain(event.action);
    }
  });

  test("is made above to every endpoint that declares audit events", () => {
    // The other lists share one declaration with canines.
    const likeCanines = new RegExp(`^/api/(?!canines|users|roles)(${lookupKeys.join("|")})(/|$)`);
    const audited = endpoints
      // Single sign-on needs a provider: tests/sign-on.test.ts covers it.
      .filter(({ audit, path }) => audit && !likeCanines.test(path) && !path.startsWith("/api/oidc/"))
      .map(nameOf);
    const called = new Set(STEPS.map(([name]) => name));
    expect(audited.filter((name) => !called.has(name))).toEqual([]);
  });
});

test("no two endpoints have the same method and path", () => {
  const names = endpoints.map(nameOf);
  expect(names.length).toBe(new Set(names).size);
});
