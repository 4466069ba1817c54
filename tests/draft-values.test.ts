import { describe, expect, test } from "vitest";
import { check, fingerprint } from "@/components/forms/check";
import { draftValues } from "@/components/forms/draft-values";
import { tableRows } from "@/components/forms/rows";
import {
  blankClient,
  blankForm,
  clientValues,
  type FormValues,
  formValues,
  openFormType,
} from "@/components/forms/values";
import { isRecord } from "@/lib/core/objects";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/lists";
import type { FormTypeName } from "@/prisma/seed-data";
import { actorFor, call } from "@/tests/call";
import { formTypeId, fullClient, fullForm, makeUser } from "@/tests/factories";

// The initial values of the form screen for a draft that this or another version of the program stored.

const actor = await actorFor(await makeUser());
const lists = await formLists(actor);
const blank = (): FormValues => ({
  useExistingClient: false,
  contactId: null,
  clientId: null,
  client: blankClient(),
  form: blankForm(lists),
});
const draftOf = (content: object) => ({
  key: "new-1",
  formId: null,
  formType: null,
  client: null,
  savedFormId: null,
  updatedAt: "2026-11-22T10:00:00Z",
  content: JSON.parse(JSON.stringify(content)),
});
const open = (content: object) => draftValues(draftOf(content), blank(), null);

/** Returns the paths at which the values contain a record. */
const recordsIn = (values: object, path = ""): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isRecord(value) ? [`${path}${name}`, ...recordsIn(value, `${path}${name}.`)] : [],
  );

/** Runs the values through the steps the screen takes when it opens. */
async function show(values: FormValues) {
  const offered = await serviceCodesFor(actor, values.form.formTypeId ?? 0);
  const rows = tableRows(null, offered);
  const rules = { lists, choices: {}, rows, codes: new Map(rows.map(({ code }) => [code.id, code])) };
  return { checked: check(values, rules), print: fingerprint(values, rules) };
}

describe("a draft of this version", () => {
  test.each<FormTypeName>(["Phone", "On-Call Advocacy", "Legal Advocacy", "Survivor", "Service"])(
    "of a full %s form opens value for value",
    async (type) => {
      const user = await makeUser();
      const { client } = (await call(user.cookie, "POST", "/api/clients", { client: await fullClient() }))
        .body;
      const form = await fullForm(type, client.id);
      const storedForm = (await call(user.cookie, "POST", "/api/forms", { form })).body.form;
      const initial: FormValues = {
        useExistingClient: false,
        contactId: null,
        clientId: client.id,
        client: clientValues(client),
        form: formValues(storedForm, lists),
      };
      const { base, values, unopened } = draftValues(
        draftOf({ ...initial, base: initial }),
        initial,
        storedForm,
      );
      expect(values).toEqual(initial);
      expect(base).toEqual({ client: initial.client, form: initial.form });
      expect(unopened).toEqual([]);
    },
  );

  test("keeps unreadable values as typed, and rows that are only partly filled in", () => {
    const content = blank();
    content.form.serviceOn = "13/45";
    content.form.serviceEntry.rows = { c7: { minutes: "1:75" } as never };
    const { values, unopened } = open({ ...content, base: content });
    expect([values.form.serviceOn, values.form.serviceEntry.rows, unopened]).toEqual([
      "13/45",
      { c7: { minutes: "1:75" } },
      [],
    ]);
  });
});

describe("a draft of another version", () => {
  test("restores what it can, and lists the rest by the labels on the screen", async () => {
    const formType = await formTypeId("Phone");
    const { values, base, unopened } = open({
      useExistingClient: false,
      clientId: null,
      client: { name: "Rosa Álvarez", nickName: "Rosie", verbalConfirmation: "perhaps" },
      form: {
        formTypeId: formType,
        serviceStatus: "Half Served",
        intakeForm: {
          referralSourceName: 17,
          phoneEntry: { guns: true, previousPfas: "two", dangerNotes: { first: "a knife", second: "" } },
          housingEntry: { shelter: true, nights: 3 },
        },
        serviceEntry: { otherService: "Childcare", rows: { c3: { minutes: 15, mileage: 12 }, total: 15 } },
      },
    });
    expect(values).toMatchObject({
      client: { name: "Rosa Álvarez", relationshipToSurvivor: "" },
      form: {
        formTypeId: formType,
        serviceStatus: null,
        intakeForm: { referralSourceName: "", phoneEntry: { guns: true, previousPfas: false } },
        serviceEntry: { otherService: "Childcare", rows: { c3: { minutes: 15 } } },
      },
    });
    expect(base).toEqual({ client: blank().client, form: blank().form });
    expect(unopened).toEqual([
      { label: "Service Status", value: "Half Served" },
      { label: "Intake: Referral Source Name", value: "17" },
      { label: "Phone: Previous PFAs", value: "two" },
      { label: "Phone: Danger Notes: First", value: "a knife" },
      { label: "Intake: Housing Entry: Shelter", value: "Yes" },
      { label: "Intake: Housing Entry: Nights", value: "3" },
      { label: "Services: Mileage", value: "12" },
      { label: "Services: Total", value: "15" },
      { label: "Client: Nick Name", value: "Rosie" },
      { label: "Client: Verbal Confirmation", value: "perhaps" },
    ]);
    expect((await show(values)).checked).toHaveProperty("problems");
  });

  test("that predates blank PFA orders opens with the one that the screen shows", () => {
    const form = { intakeForm: { phoneEntry: { currentPfaOrder: null } } };
    const { values } = open({ form });
    expect(values.form.intakeForm.phoneEntry.currentPfaOrder).toBe(
      blank().form.intakeForm.phoneEntry.currentPfaOrder,
    );
    expect(values.form.intakeForm.phoneEntry.currentPfaOrder).not.toBeNull();
  });

  test("without its client does not overwrite the chosen client with blanks", () => {
    const { values } = open({ ...blank(), useExistingClient: true, clientId: 5, client: undefined });
    expect([values.useExistingClient, values.clientId]).toEqual([false, null]);
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["other words", { note: "Zoë", form: { note: "x", minutes: [15, null] } }],
    ["texts for records", { client: "Rosa", form: "Phone", base: "none" }],
    ["lists for records", { client: [], form: [{}], base: [[]] }],
    ["null for records", { client: null, form: null, base: { client: null, form: null } }],
    ["numbers for texts", { client: { name: 5, clientBiographicalEntry: { phoneNumber: 8145550134 } } }],
    ["an invalid id", { clientId: 1e300, form: { formTypeId: 1e300, canineId: "x", id: {} } }],
    ["a form type of text", { form: { formTypeId: "Phone", serviceOn: 20260102 } }],
    ["entries of text", { client: { clientBiographicalEntry: "x" }, form: { intakeForm: "a letter" } }],
    ["sections of text", { form: { intakeForm: { survivorEntry: "yes", legalAdvocacyEntry: 3 } } }],
    [
      "values that are not lists",
      { form: { intakeForm: { survivorEntry: { secondaryVictimizationIds: "1,2" } } } },
    ],
    [
      "values that are not rows",
      { form: { serviceEntry: { rows: { c1: null, c2: "x", x: {}, c3: { minutes: {} } } } } },
    ],
    ["a list of rows", { form: { serviceEntry: { rows: [{ minutes: 5 }], serviceProvidedEntries: [{}] } } }],
    [
      "a prototype",
      JSON.parse('{"__proto__":{"form":1},"form":{"__proto__":{"guns":true},"constructor":1}}'),
    ],
  ])("opens as a usable form: %s", async (_, content) => {
    const { values, base } = open(content);
    for (const opened of [values, { ...blank(), ...base }]) {
      const { print } = await show(opened);
      expect(recordsIn(opened)).toEqual(expect.arrayContaining(recordsIn(blank())));
      expect(print).toBe((await show(blank())).print);
    }
    expect(openFormType(draftOf(content), null)).toBeNull();
  });
});
