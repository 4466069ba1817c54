import { db } from "@/lib/core/database/client";
import type { ReportKey } from "@/lib/reports/definitions";
import type { FormTypeName } from "@/prisma/seed-data";
import { call } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Small data sets for reports, created through the API as advocates do. Every case uses separate years, so that no case
// counts another's forms.

export type Reporter = { owner: Person; other: Person; viewer: Person };

/** Creates two advocates, and a user who sees everything and reads reports. */
export async function makeReporter(): Promise<Reporter> {
  return {
    owner: await makeUser(["forms", "clients"]),
    other: await makeUser(["forms", "clients"]),
    viewer: await makeUser([
      "forms",
      "clients",
      "all-forms",
      "reports",
      "reports-setup",
      "service-codes",
      "export",
    ]),
  };
}

const idNamed = async (
  table: "ethnicity" | "ageBracket" | "secondaryVictimization" | "offenderRelationship" | "hateCrimeCategory",
  name: string,
): Promise<number> => {
  const where = { where: { name } };
  switch (table) {
    case "ethnicity":
      return (await db().ethnicity.findUniqueOrThrow(where)).id;
    case "ageBracket":
      return (await db().ageBracket.findUniqueOrThrow(where)).id;
    case "secondaryVictimization":
      return (await db().secondaryVictimization.findUniqueOrThrow(where)).id;
    case "offenderRelationship":
      return (await db().offenderRelationship.findUniqueOrThrow(where)).id;
    case "hateCrimeCategory":
      return (await db().hateCrimeCategory.findUniqueOrThrow(where)).id;
  }
};

type Individual = {
  significantOther?: boolean;
  /** Date of birth. */
  born?: string;
  /** The brackets of both entries, by name. */
  bracket?: string;
  biographicalBracket?: string;
  ethnicity?: string;
  gender?: string;
  /** Selected checkboxes of the demographic entry. */
  flags?: readonly string[];
  /** False: the client has neither entry. */
  known?: boolean;
};

/** Creates a client, by default a white woman born on 01/01/1970. */
export async function addClient(by: Person, values: Individual = {}): Promise<number> {
  const {
    significantOther = false,
    ethnicity = "White",
    gender = "Female",
    flags = [],
    known = true,
  } = values;
  const born = "born" in values || values.bracket || values.biographicalBracket ? values.born : "1970-01-01";
  const bracketId = async (name?: string) => (name ? await idNamed("ageBracket", name) : null);
  const { id } = await makeClient(by, {
    significantOther,
    ...(known && {
      clientBiographicalEntryAttributes: {
        dateOfBirth: born ?? null,
        ageBracketId: await bracketId(values.biographicalBracket),
      },
      clientDemographicEntryAttributes: {
        ageBracketId: await bracketId(values.bracket),
        ethnicityId: ethnicity ? await idNamed("ethnicity", ethnicity) : null,
        gender,
        ...Object.fromEntries(flags.map((flag) => [flag, true])),
      },
    }),
  });
  return id;
}

type Work = {
  type?: FormTypeName;
  status?: "Served" | "Partially Served" | "Not Served";
  otherMinutes?: number;
  /** Selected reasons for not serving. */
  reasons?: readonly string[];
};

/** Creates a form with minutes by service code, `[["CRISIS", 30]]`. A code may occur twice. */
export async function addForm(
  by: Person,
  clientId: number,
  serviceOn: string,
  rows: readonly (readonly [string, number])[],
  { type = "Service", status = "Served", otherMinutes = 0, reasons = [] }: Work = {},
): Promise<number> {
  const codes = new Map((await db().serviceCode.findMany()).map(({ code, id }) => [code, id]));
  const { id } = await makeForm(
    by,
    {
      formTypeId: await formTypeId(type),
      serviceOn,
      serviceStatus: status,
      serviceEntryAttributes: {
        otherServiceMinutes: otherMinutes,
        otherService: otherMinutes > 0 ? "Letter to the landlord" : "",
        serviceProvidedEntriesAttributes: rows.map(([code, minutes]) => ({
          serviceCodeId: codes.get(code),
          minutes,
        })),
      },
      ...(type === "Phone" && {
        intakeFormAttributes: { phoneEntryAttributes: { currentPfaOrder: "None" } },
      }),
      ...(status !== "Served" && {
        serviceStatusEntryAttributes: Object.fromEntries(reasons.map((reason) => [reason, true])),
      }),
    },
    clientId,
  );
  return id;
}

type Entry = {
  relationship?: string;
  victimizations?: readonly string[];
  other?: string;
  hateCrime?: string;
  status?: "Served" | "Not Served";
};

/** Creates a Survivor form, which has victimizations and no services. */
export async function addSurvivorForm(
  by: Person,
  clientId: number,
  serviceOn: string,
  { relationship = "Stranger", victimizations = [], other = "", hateCrime, status = "Served" }: Entry = {},
): Promise<number> {
  const { id } = await makeForm(
    by,
    {
      formTypeId: await formTypeId("Survivor"),
      serviceOn,
      serviceStatus: status,
      ...(status !== "Served" && { serviceStatusEntryAttributes: { other: true } }),
      intakeFormAttributes: {
        survivorEntryAttributes: {
          offenderRelationshipId: await idNamed("offenderRelationship", relationship),
          secondaryVictimizationIds: await Promise.all(
            victimizations.map((name) => idNamed("secondaryVictimization", name)),
          ),
          secondaryVictimizationOther: other,
          hateCrimeCategoryId: hateCrime ? await idNamed("hateCrimeCategory", hateCrime) : null,
        },
      },
    },
    clientId,
  );
  return id;
}

const query = (from: string, to: string, filters: Record<string, number> = {}) =>
  new URLSearchParams({
    from,
    to,
    ...Object.fromEntries(Object.entries(filters).map(([k, v]) => [k, String(v)])),
  }).toString();

/** Returns the line keys of a report that are not zero, with their counts. */
export async function readNumbers(
  by: Person,
  report: ReportKey,
  from: string,
  to: string,
  filters?: Record<string, number>,
): Promise<Record<string, number>> {
  const { status, body } = await call(by.cookie, "GET", `/api/reports/${report}?${query(from, to, filters)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const lines = body.report.sections.flatMap(
    (section: { lines: { key: string; count: number }[] }) => section.lines,
  );
  return Object.fromEntries(
    lines
      .filter(({ count }: { count: number }) => count !== 0)
      .map(({ key, count }: { key: string; count: number }) => [key, count]),
  );
}

/** Returns the records behind a line. */
export async function readRecordsBehind(
  by: Person,
  report: ReportKey,
  line: string,
  from: string,
  to: string,
  filters?: Record<string, number>,
): Promise<{ clients: number[]; forms: number[]; stays?: number[]; contacts?: number[] }> {
  const { status, body } = await call(
    by.cookie,
    "GET",
    `/api/reports/${report}/lines/${line}?${query(from, to, filters)}`,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** Returns the non-empty gaps by field. */
export async function readGaps(
  by: Person,
  report: ReportKey,
  from: string,
  to: string,
  filters?: Record<string, number>,
): Promise<Record<string, { clients: number[]; forms: number[]; stays?: number[] }>> {
  const url = `/api/reports/${report}/gaps?${query(from, to, filters)}`;
  const { status, body } = await call(by.cookie, "GET", url);
  if (status !== 200) throw new Error(JSON.stringify(body));
  type Gap = { field: string; clients: number[]; forms: number[]; stays?: number[] };
  return Object.fromEntries(
    body.gaps
      .filter(({ clients, forms }: Gap) => clients.length + forms.length > 0)
      .map(({ field, ...lists }: Gap) => [
        field,
        { clients: lists.clients, forms: lists.forms, ...(lists.stays && { stays: lists.stays }) },
      ]),
  );
}
