import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { today } from "@/lib/core/text/format";
import { call } from "@/tests/call";
import {
  fullClient,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";

// Body keys that callers must not set have no effect, whatever their value.

let ada: Person;
let ben: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
});

const forbiddenKeys = () => ({
  id: 4711,
  userId: ben.id,
  user: { id: ben.id },
  updatedById: ben.id,
  reconciled: true,
  createdOn: "2001-01-01",
  createdAt: "2001-01-01T00:00:00Z",
  updatedAt: "2001-01-01T00:00:00Z",
  lockVersion: 0,
  role: { id: 1 },
});

describe("a client", () => {
  test("gets its id, owner, day and version from the server when it is created", async () => {
    const { body } = await call(ada.cookie, "POST", "/api/clients", {
      client: { name: "New", ...forbiddenKeys(), lockVersion: 7, forms: { create: [] } },
    });
    expect(body.client).toMatchObject({ userId: ada.id, createdOn: today(), lockVersion: 0 });
    expect(body.client.id).not.toBe(4711);
  });

  test("keeps its id, owner, day and version when it is edited", async () => {
    const client = await makeClient(ada);
    const before = await db().client.findUniqueOrThrow({ where: { id: client.id } });
    const { body } = await call(ben.cookie, "PUT", `/api/clients/${client.id}`, {
      client: { name: client.name, ...forbiddenKeys() },
    });
    expect(body.client).toEqual(client);
    const after = await db().client.findUniqueOrThrow({ where: { id: client.id } });
    expect(after).toEqual(before);
  });

  test("keeps its nested entries and their ids, whatever parents and ids are sent", async () => {
    const mine = await makeClient(ada, await fullClient());
    const other = await makeClient(ada);
    const values = await fullClient();
    const nested = { ...forbiddenKeys(), id: undefined, clientId: other.id, client: { id: other.id } };
    const { body } = await call(ada.cookie, "PUT", `/api/clients/${mine.id}`, {
      client: {
        ...values,
        clientBiographicalEntryAttributes: { ...values.clientBiographicalEntryAttributes, ...nested },
        clientDemographicEntryAttributes: { ...values.clientDemographicEntryAttributes, ...nested },
      },
    });
    expect(body.client).toEqual(mine);
    expect((await call(ada.cookie, "GET", `/api/clients/${other.id}`)).body.client).toEqual(other);
  });

  test("accepts nested objects only under their …Attributes names", async () => {
    const client = await makeClient(ada, await fullClient());
    const { body } = await call(ada.cookie, "PUT", `/api/clients/${client.id}`, {
      client: {
        name: client.name,
        clientBiographicalEntry: { update: { city: "Nowhere" } },
        clientDemographicEntry: null,
      },
    });
    expect(body.client).toEqual(client);
  });
});

describe("a form", () => {
  test("gets its id, owner, version and review status from the server when it is created", async () => {
    const client = await makeClient(ada);
    const form = await makeForm(ada, { ...forbiddenKeys(), lockVersion: 7 }, client.id);
    expect(form).toMatchObject({ userId: ada.id, reconciled: false, lockVersion: 0 });
    expect(form.id).not.toBe(4711);
  });

  test("keeps its id, owner, version and review status when it is edited", async () => {
    const form = await makeForm(ada);
    const sent = { ...minimalForm(form.clientId, form.formTypeId), ...forbiddenKeys() };
    const { body } = await call(ada.cookie, "PUT", `/api/forms/${form.id}`, { form: sent });
    expect(body.form).toEqual(form);
    expect(await db().form.findUnique({ where: { id: 4711 } })).toBeNull();
  });

  test("is not changed by parents, keys and flags of other tables, at any depth", async () => {
    const client = await makeClient(ada);
    const other = await makeForm(ada, {}, client.id);
    const values = await fullForm("Legal Advocacy", client.id);
    const { body } = await call(ada.cookie, "POST", "/api/forms", { form: values });
    const form = body.form;

    const parents = {
      formId: other.id,
      form: { id: other.id },
      intakeFormId: 1,
      survivorEntryId: 1,
      legalAdvocacyEntryId: 1,
      serviceEntryId: 1,
      serviceProvidedEntryId: 1,
      serviceCode: { id: 1, code: "HACKED", canBeMagistrate: true },
      reconciled: true,
      userId: ben.id,
      lockVersion: 99,
      createdAt: "2001-01-01T00:00:00Z",
    };
    const addForbiddenKeys = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(addForbiddenKeys)
        : typeof value === "object" && value !== null
          ? {
              ...Object.fromEntries(
                Object.entries(value).map(([key, inner]) => [key, addForbiddenKeys(inner)]),
              ),
              ...parents,
            }
          : value;
    const poisoned = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, addForbiddenKeys(value)]),
    );
    const again = await call(ada.cookie, "PUT", `/api/forms/${form.id}`, {
      form: { ...poisoned, secondaryVictimizationIds: [1] },
    });

    expect(again.status, JSON.stringify(again.body)).toBe(200);
    const rowIds = (value: typeof form) =>
      value.serviceEntry.serviceProvidedEntries.map(({ id }: { id: number }) => id);
    // Rows without an id are new rows. Everything else is unchanged.
    expect(rowIds(again.body.form)).not.toEqual(rowIds(form));
    const withoutRows = (value: typeof form) => ({ ...value, lockVersion: 0, serviceEntry: null });
    expect(withoutRows(again.body.form)).toEqual(withoutRows(form));
    expect((await call(ada.cookie, "GET", `/api/forms/${other.id}`)).body.form).toEqual(other);
    expect(await db().serviceCode.findFirst({ where: { code: "HACKED" } })).toBeNull();
  });
});

test("only the reconcile call reconciles, and it changes nothing else", async () => {
  const form = await makeForm(ada);
  const { body } = await call(ada.cookie, "POST", `/api/forms/${form.id}/reconcile`, {
    ...forbiddenKeys(),
    reconciled: true,
    form: { serviceStatus: "Not Served" },
  });
  const reconciledBy = { id: ada.id, firstName: expect.any(String), lastName: expect.any(String) };
  expect(body.form).toEqual({
    ...form,
    reconciled: true,
    reconciledBy,
    reconciledAt: expect.any(String),
    lockVersion: 1,
  });
});
