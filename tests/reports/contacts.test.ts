import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { screenQuery } from "@/lib/reports/schema";
import { loadLine } from "@/lib/reports/screen";
import { actorFor, call } from "@/tests/call";
import { formTypeId, makeUser, minimalForm, type Person } from "@/tests/factories";
import { addClient, readNumbers, readRecordsBehind } from "./world";

// Cases worked out by hand before the code: what contacts count in the reports, and what they never count. Each case has
// years of its own.

let owner: Person;
let other: Person;
let viewer: Person;
let hotline: number;

beforeAll(async () => {
  owner = await makeUser(["contacts", "forms", "clients", "reports"]);
  other = await makeUser(["contacts", "forms", "clients", "reports"]);
  viewer = await makeUser(["contacts", "forms", "clients", "all-forms", "reports", "export"]);
  hotline = (await db().contactKind.findUniqueOrThrow({ where: { name: "Hotline call" } })).id;
});

const addContact = async (by: Person, contactedOn: string, values: object = {}): Promise<number> => {
  const { status, body } = await call(by.cookie, "POST", "/api/contacts", {
    contact: { contactKindId: hotline, contactedOn, ...values },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.contact.id;
};

/** Starts a form from a contact: one service of 20 minutes. Returns the form's id. */
async function startForm(by: Person, contactId: number, clientId: number, serviceOn: string) {
  const { id: serviceCodeId } = await db().serviceCode.findUniqueOrThrow({ where: { code: "SAFETY" } });
  const { status, body } = await call(by.cookie, "POST", "/api/forms", {
    form: {
      ...minimalForm(clientId, await formTypeId("Service")),
      serviceOn,
      contactId,
      serviceEntryAttributes: { serviceProvidedEntriesAttributes: [{ serviceCodeId, minutes: 20 }] },
    },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.form.id as number;
}

const quarter = (year: number) => [`${year}-01-01`, `${year}-03-31`] as const;
const behind = (by: Person, year: number, filters?: Record<string, number>) =>
  readRecordsBehind(by, "pmt", "anonymous_contacts", ...quarter(year), filters);
const readTime = async (by: Person, year: number, userId: number) => {
  const [from, to] = quarter(year);
  const { status, body } = await call(
    by.cookie,
    "GET",
    `/api/reports/time?${new URLSearchParams({ from, to, userId: String(userId) })}`,
  );
  expect(status).toBe(200);
  return body;
};

describe("anonymous contacts", () => {
  test("are the number of all contacts of the period, a tally of 30 calls as 30, and nothing else", async () => {
    const made = [
      await addContact(owner, "2001-01-01", { number: 30, minutes: 600 }),
      await addContact(other, "2001-03-31"),
      // Turned away: it is a contact like any other here.
      await addContact(other, "2001-02-01", {
        shelterRequested: true,
        adults: 1,
        children: 2,
        turnedAwayReason: "capacity",
      }),
    ];
    await addContact(owner, "2000-12-31");
    await addContact(owner, "2001-04-01");
    for (const report of ["pmt", "pccd"] as const)
      expect(await readNumbers(viewer, report, ...quarter(2001))).toEqual({ anonymous_contacts: 32 });
    const [tally, march, turnedAway] = made;
    expect(await behind(viewer, 2001)).toEqual({
      clients: [],
      forms: [],
      contacts: [tally, turnedAway, march],
    });
  });

  test("have one fewer when a caller becomes a client, and one more when that form is removed", async () => {
    const contact = await addContact(owner, "2002-02-03", { minutes: 15 });
    const rest = await addContact(owner, "2002-02-03", { minutes: 10 });
    const before = await readNumbers(viewer, "pccd", ...quarter(2002));
    expect(before).toEqual({ anonymous_contacts: 2 });
    expect(await readTime(viewer, 2002, owner.id)).toMatchObject({ minutes: 0, contactMinutes: 25 });
    const form = await startForm(owner, contact, await addClient(owner), "2002-02-03");
    expect(await readNumbers(viewer, "pccd", ...quarter(2002))).toEqual({
      anonymous_contacts: 1,
      individuals_served: 1,
      individuals_new: 1,
      individuals_primary: 1,
      race_white_non_latino: 1,
      gender_female: 1,
      age_25_59: 1,
      c_individuals: 1,
      c1_crisis_intervention: 1,
      service_minutes: 20,
      vawa_served: 1,
    });
    expect((await behind(viewer, 2002)).contacts).toEqual([rest]);
    // The contact's minutes are those of its form now.
    expect(await readTime(viewer, 2002, owner.id)).toEqual({
      days: [expect.objectContaining({ on: "2002-02-03", minutes: 20, otherMinutes: 0, contactMinutes: 10 })],
      minutes: 20,
      otherMinutes: 0,
      contactMinutes: 10,
      activityMinutes: 0,
      sessionMinutes: 0,
      eventMinutes: 0,
    });
    expect((await call(owner.cookie, "DELETE", `/api/forms/${form}`)).status).toBe(204);
    expect(await readNumbers(viewer, "pccd", ...quarter(2002))).toEqual(before);
  });

  test("still have a linked contact for a reader from whom its client is hidden", async () => {
    const contact = await addContact(owner, "2003-01-05", { minutes: 15 });
    for (let day = 6; day < 11; day++) await addContact(owner, `2003-01-${day < 10 ? "0" : ""}${day}`);
    const clientId = await addClient(owner);
    await startForm(owner, contact, clientId, "2003-01-05");
    const reader = await makeUser(["contacts", "forms", "clients", "all-forms", "reports"]);
    await db().clientRestriction.create({ data: { clientId, userId: reader.id } });
    expect(await readNumbers(viewer, "pmt", ...quarter(2003))).toMatchObject({
      anonymous_contacts: 5,
      individuals_served: 1,
    });
    expect(await readNumbers(reader, "pmt", ...quarter(2003))).toEqual({ anonymous_contacts: 6 });
    expect((await behind(reader, 2003)).contacts).toContain(contact);
    expect((await behind(viewer, 2003)).contacts).not.toContain(contact);
    expect(await readTime(reader, 2003, owner.id)).toMatchObject({ minutes: 0, contactMinutes: 15 });
    expect(await readTime(viewer, 2003, owner.id)).toMatchObject({ minutes: 20, contactMinutes: 0 });
  });

  test("are those of one advocate under that filter, and none under a form type", async () => {
    const [mine] = [
      await addContact(owner, "2004-01-05", { number: 5 }),
      await addContact(other, "2004-01-05"),
    ];
    expect(await readNumbers(viewer, "pmt", ...quarter(2004), { userId: owner.id })).toEqual({
      anonymous_contacts: 5,
    });
    expect((await behind(viewer, 2004, { userId: owner.id })).contacts).toEqual([mine]);
    const formType = { formTypeId: await formTypeId("Service") };
    expect(await readNumbers(viewer, "pmt", ...quarter(2004), formType)).toEqual({});
  });

  test("of colleagues do not count without All Forms, and need Contacts to be listed", async () => {
    const mine = await addContact(owner, "2005-01-05");
    for (const number of [3, 4]) await addContact(other, "2005-01-06", { number });
    expect(await behind(owner, 2005, { userId: owner.id })).toMatchObject({ contacts: [mine] });
    const url = `/api/reports/pmt?from=2005-01-05&to=2005-01-20&userId=${owner.id}`;
    const [, line] = (await call(owner.cookie, "GET", url)).body.report.sections[0].lines;
    expect(line).toMatchObject({ key: "anonymous_contacts", count: 1 });
    expect(await behind(await makeUser(["reports", "forms", "all-forms"]), 2005)).toMatchObject({
      contacts: [],
    });
  });

  test("are listed in pages, which together contain each contact once", async () => {
    const made: number[] = [];
    for (const day of [1, 2, 3, 4, 5]) made.push(await addContact(owner, `2009-01-0${day}`));
    const [from, to] = quarter(2009);
    const actor = await actorFor(viewer);
    const pages: number[][] = [];
    for (const page of ["1", "2", "3"]) {
      const query = screenQuery({ from, to }).parse({ from, to, perPage: "2", page });
      const { contacts } = await loadLine(actor, "pmt", "anonymous_contacts", query);
      pages.push(contacts.map(({ id }) => id));
    }
    expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
  });

  test("are exported as a list of contacts", async () => {
    const contact = await addContact(owner, "2006-01-05", { number: 7, minutes: 3 });
    const { status, body } = await call(
      viewer.cookie,
      "GET",
      "/api/reports/pmt/lines/anonymous_contacts/records.csv?from=2006-01-01&to=2006-03-31",
    );
    expect(status, body).toBe(200);
    expect(body.replace("\uFEFF", "").trim().split("\r\n")).toEqual([
      "Id,Date,Kind,How Many,Minutes,Advocate Name",
      `${contact},01/05/2006,Hotline call,7,3,${owner.firstName} ${owner.lastName}`,
    ]);
  });
});

describe("a submitted quarter", () => {
  const submit = async (year: number) => {
    const [from, to] = quarter(year);
    const { status, body } = await call(viewer.cookie, "POST", "/api/reports/pmt/submissions", {
      submission: { from, to },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.submission.id as number;
  };
  const readLine = async (by: Person, id: number) => {
    const { status, body } = await call(by.cookie, "GET", `/api/reports/pmt/submissions/${id}`);
    expect(status).toBe(200);
    return body.submission.lines.find(({ key }: { key: string }) => key === "anonymous_contacts");
  };

  test("lists the contacts that were added, edited, linked or removed since", async () => {
    const kept = await addContact(owner, "2007-01-01");
    const edited = await addContact(owner, "2007-01-02", { number: 4 });
    const linked = await addContact(owner, "2007-01-03");
    const removed = await addContact(owner, "2007-01-04");
    const id = await submit(2007);
    expect(await readLine(viewer, id)).toMatchObject({ count: 7, now: 7, forms: [], more: 0 });
    await call(owner.cookie, "PUT", `/api/contacts/${edited}`, {
      contact: { contactKindId: hotline, number: 6 },
    });
    await startForm(owner, linked, await addClient(owner), "2007-01-03");
    await call(owner.cookie, "DELETE", `/api/contacts/${removed}`);
    const added = await addContact(owner, "2007-01-05");
    const line = await readLine(viewer, id);
    expect(line).toMatchObject({ count: 7, now: 8, forms: [], more: 0 });
    expect(line.contacts).toEqual([
      { contactId: edited, change: "edited" },
      { contactId: linked, change: "left" },
      { change: "removed" },
      { contactId: added, change: "added" },
    ]);
    expect(line.contacts).not.toContainEqual(expect.objectContaining({ contactId: kept }));
    const csv = await call(viewer.cookie, "GET", `/api/reports/pmt/submissions/${id}/changes.csv`);
    expect(csv.body).toContain(`Contact ${edited} was edited`);
  });

  test("tells a reader from whom a client is hidden nothing about the client's contact", async () => {
    const [contact] = [await addContact(owner, "2008-01-01"), await addContact(owner, "2008-01-02")];
    const clientId = await addClient(owner);
    await startForm(owner, contact, clientId, "2008-01-01");
    const id = await submit(2008);
    const reader = await makeUser(["contacts", "forms", "clients", "all-forms", "reports"]);
    await db().clientRestriction.create({ data: { clientId, userId: reader.id } });
    expect(await readLine(viewer, id)).toMatchObject({ count: 1, now: 1, more: 0 });
    expect(await readLine(reader, id)).toMatchObject({ count: 2, now: 2, more: 0 });
    expect((await readLine(reader, id)).contacts ?? []).toEqual([]);
  });
});
