import { describe, expect, test } from "vitest";
import { z } from "zod";
import { clientBody } from "@/lib/clients/api-schema";
import { clientSchema } from "@/lib/clients/schema";
import { rows } from "@/lib/core/database/client";
import { declaredShape, type Field, factsOf, fieldsOf, isNested, recordFacts } from "@/lib/core/fields/facts";
import { fieldErrors } from "@/lib/core/fields/problems";
import { responseOf } from "@/lib/core/fields/responses";
import { blanksOf } from "@/lib/core/fields/shapes";
import { columnName, ownerColumn, pairsTable } from "@/lib/core/fields/tables";
import {
  count,
  entries,
  entry,
  flag,
  lookup,
  optionalInPut,
  record,
  text,
} from "@/lib/core/fields/vocabulary";
import { fromWire, toWire, wirePath } from "@/lib/core/fields/wire";
import { sql } from "@/lib/core/sql";
import { formBody } from "@/lib/forms/api-schema";
import { type FormInput, formSchema } from "@/lib/forms/schema";
import { lookups } from "@/lib/lookups/registry";

// The vocabulary (lib/core/fields) derives everything else from a field's single declaration.

const RECORDS = [formSchema, clientSchema, ...Object.values(lookups).map(({ schema }) => schema)];

/** Yields each record with its table, including nested ones, and the table it belongs to. */
function* tablesOf(
  schema: z.core.$ZodType,
  owner: string | null,
): Generator<[string, string | null, readonly Field[]]> {
  const { table } = recordFacts(schema);
  const fields = fieldsOf(schema);
  yield [table, owner, fields];
  for (const field of fields) if (isNested(field.facts)) yield* tablesOf(field.schema, table);
}
const TABLES = RECORDS.flatMap((schema) => [...tablesOf(schema, null)]);

describe("every field of every record", () => {
  const fields = TABLES.flatMap(([table, , inTable]) => inTable.map((field) => ({ table, ...field })));

  test("has its column or join table in the database", async () => {
    const columns = await rows<{ name: string }>(
      sql`SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const names = new Set(columns.map(({ name }) => name));
    const needed = [
      ...TABLES.flatMap(([table, owner]) => (owner ? [`${table}.${ownerColumn(owner)}`] : [])),
      ...fields.flatMap(({ table, name, facts }) => {
        if (isNested(facts) || facts.kind === "removal") return [];
        if (facts.kind !== "lookups") return [`${table}.${columnName(name)}`];
        const pairs = pairsTable(table, facts.list);
        return [`${pairs.table}.${pairs.owner}`, `${pairs.table}.${pairs.other}`];
      }),
      ...fields.flatMap(({ facts }) => ("list" in facts ? [`${facts.list}.id`] : [])),
    ];
    expect(needed.length).toBeGreaterThan(100);
    expect(needed.filter((column) => !names.has(column))).toEqual([]);
  });

  test("has facts, including a label", () => {
    const names = RECORDS.flatMap((schema) => [...tablesOf(schema, null)].map(([table]) => table));
    expect(names).toContain("brain_injury_entries");
    for (const schema of RECORDS)
      for (const field of Object.values(schema.shape)) expect(factsOf(field)?.label).toMatch(/\w/);
  });
});

describe("a field", () => {
  const pet = entry("Pet", "offender_entries", { name: text("Pet's Name"), harmedPet: flag("Harmed Pet") });
  const schema = record("Survivor", "survivor_entries", {
    childAges: text("Ages of Children"),
    numberOfChildren: count("Number of Children"),
    brainInjuryAssessed: optionalInPut(flag("Assessed", { required: true })),
    offenderRelationshipId: lookup("offender_relationships", "Relationship", { required: true }),
    offenderEntry: pet,
  });

  test("that is optional defaults to its blank value when absent, and a kept field stays as stored", () => {
    expect(schema.parse({ offenderRelationshipId: 1 })).toEqual({
      childAges: "",
      numberOfChildren: 0,
      offenderRelationshipId: 1,
    });
  });

  test("is blank on a new screen until it is filled in, including nested fields", () => {
    expect(blanksOf(schema)).toEqual({
      childAges: "",
      numberOfChildren: 0,
      brainInjuryAssessed: false,
      offenderRelationshipId: null,
      offenderEntry: { name: "", harmedPet: false },
    });
  });

  test("is always returned, with the ids of nested records", () => {
    const shape = responseOf(schema);
    const full = { ...schema.parse({ offenderRelationshipId: 1 }), id: 1, brainInjuryAssessed: true };
    expect(shape.safeParse({ ...full, offenderEntry: null }).success).toBe(true);
    expect(shape.safeParse({ ...full, offenderEntry: { name: "", harmedPet: true } }).success).toBe(false);
    expect(shape.safeParse({ ...full, brainInjuryAssessed: undefined, offenderEntry: null }).success).toBe(
      false,
    );
  });

  test("keeps its facts through optionalInPut() and loses them through z.optional(), which optionalInPut() refuses", () => {
    expect(factsOf(optionalInPut(flag("Assessed")))).toMatchObject({ kind: "flag", label: "Assessed" });
    expect(factsOf(z.optional(flag("Assessed")))).toBeUndefined();
    expect(() => optionalInPut(z.string())).toThrow(
      "Only a field of the vocabulary can be optional in a PUT",
    );
  });
});

test("a field with a nested record is accepted only under ...Attributes, which error messages use too", () => {
  const body = { form: { serviceEntryAttributes: { otherService: "x" }, intakeForm: { id: 1 }, guns: true } };
  expect(fromWire(formBody, body)).toEqual({ form: { serviceEntry: { otherService: "x" } } });
  const values = { intakeForm: { phoneEntry: { guns: true } }, user: { id: 1 } };
  expect(toWire(formSchema, values as unknown as FormInput)).toEqual({
    intakeFormAttributes: { phoneEntryAttributes: { guns: true } },
    user: { id: 1 },
  });
  const path = "form.serviceEntry.serviceProvidedEntries.2.minutes";
  expect(wirePath(formBody, path.split("."))).toBe(
    "form.serviceEntryAttributes.serviceProvidedEntriesAttributes.2.minutes",
  );
});

const BODIES = { form: formBody, client: clientBody };

test.each([
  ["form", "intakeForm.phoneEntry.incomeAndEducationEntry.ssiSsd", "SSI/SSD must be true or false"],
  ["form", "intakeForm.survivorEntry.offenderEntry.name", "Offender Name must be text"],
  ["form", "intakeForm.legalAdvocacyEntry.pfaCourtEntry.pfaCourtContactTypeId", "Contact Type must be"],
  ["client", "clientBiographicalEntry.address2", "Address 2 must be text"],
  ["client", "clientDemographicEntry.lgbt", "LGBT must be true or false"],
] as const)("an error of the field %s.%s is reported under its label: %s", (root, path, sentence) => {
  const schema = BODIES[root];
  const wire = wirePath(schema, [root, ...path.split(".")]);
  const body = wire.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), ["wrong"]);
  const { error } = schema.safeParse(body);
  expect(error && fieldErrors(schema, error)[wire]).toContain(sentence);
});

test("a field with a list of nested records accepts each row's id and its removal flag", () => {
  const list = entries("Services", "service_provided_entries", { referrals: text("Referral") });
  expect(Object.keys(declaredShape(list))).toEqual(["id", "_destroy", "referrals"]);
});
