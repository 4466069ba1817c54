import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { demographic, otherEthnicityId } from "@/lib/clients/schema";
import { PERMISSION_NAMES } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { identifier, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { clearForm } from "@/lib/forms/schema";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { SERVICE_STATUSES } from "@/lib/forms/words";
import { prepareDatabase } from "@/lib/ops/prepare";
import { seedDemo } from "@/prisma/demo";
import { seed } from "@/prisma/seed";
import { runWithoutTimeout } from "@/tests/direct";

const url = String(process.env.DATABASE_URL);

const tables = async () =>
  (
    await rows<{ name: string }>(
      sql`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    )
  ).map(({ name }) => name);

/** Returns every row of every table, so that a comparison detects any change. */
async function readEverything(): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of await tables()) {
    const [all] = await rows<{ all: unknown }>(
      sql`SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)) AS all FROM ${identifier(table)} t`,
    );
    content[table] = all?.all;
  }
  return content;
}

beforeEach(async () => {
  await runWithoutTimeout(`TRUNCATE ${(await tables()).join(", ")} RESTART IDENTITY CASCADE`);
  await seed();
});

const permissionsOf = async (name: string) => {
  const role = await db().role.findUniqueOrThrow({
    where: { name },
    include: { permissions: { include: { permission: true }, orderBy: { permissionId: "asc" } } },
  });
  return role.permissions.map(({ permission }) => permission.name);
};

/** Returns the roles and permissions in the table of the guide. "The same" are those of the row above. */
async function guideRoles(): Promise<Record<string, string[]>> {
  const page = await readFile("docs/guide/people-and-roles.md", "utf8");
  const table = [...page.matchAll(/^\| ([A-Z]\w+) \| (.+) \|$/gm)];
  let above: string[] = [];
  return Object.fromEntries(
    table.map(([, role = "", words = ""]) => {
      const named = PERMISSION_NAMES.filter((name) => words.split(/, (?:and )?/).includes(name));
      const others = words.split(/, (?:and )?/).filter((word) => !named.some((name) => name === word));
      expect(["all", "the same", "the same as a supervisor", undefined]).toContain(others[0]);
      above = others[0] === "all" ? [] : others[0] === undefined ? named : [...above, ...named];
      return [role, (others[0] === "all" ? [...PERMISSION_NAMES] : [...above]).sort()];
    }),
  );
}

describe("the seed", () => {
  it("creates the permissions and the roles that the guide lists", async () => {
    const permissions = await db().permission.findMany({ orderBy: { id: "asc" } });
    expect(permissions.map(({ name }) => name)).toEqual(PERMISSION_NAMES);
    const advocate = [
      "Forms",
      "Clients",
      "Contacts",
      "Shelter",
      "Activities",
      "Groups",
      "Events",
      "Outcome Surveys",
    ];
    const supervisor = [...advocate, "All Forms", "Reports", "Restrict Clients"];
    const expected: [string, readonly string[]][] = [
      ["Administrator", PERMISSION_NAMES],
      ["Advocate", advocate],
      ["Supervisor", supervisor],
      ["Director", [...supervisor, "Reports Setup", "Close Periods", "Audit Log", "Export"]],
    ];
    expect(await db().role.count()).toBe(expected.length);
    for (const [name, permissions] of expected)
      expect((await permissionsOf(name)).sort(), name).toEqual([...permissions].sort());
    expect(await guideRoles()).toEqual(
      Object.fromEntries(expected.map(([name, permissions]) => [name, [...permissions].sort()])),
    );
  });

  it("creates the five form types with their flags and no others", async () => {
    const formTypes = await db().formType.findMany({ orderBy: { id: "asc" } });
    const flags = formTypes.map((type) => [
      type.name,
      Object.entries(type)
        .filter(([, value]) => value === true)
        .map(([flag]) => flag)
        .sort(),
    ]);
    const clientEntries = ["clientBiographicalEntry", "clientDemographicalEntry"];
    expect(flags).toEqual([
      ["Phone", ["clientDemographicalEntry", "phone", "phoneEntry", "serviceEntry"]],
      ["On-Call Advocacy", [...clientEntries, "onCallAdvocacyEntry", "serviceEntry", "survivorEntry"]],
      ["Legal Advocacy", [...clientEntries, "legalAdvocacyEntry", "serviceEntry", "survivorEntry"]],
      ["Survivor", [...clientEntries, "intakeOnly", "survivorEntry"]],
      ["Service", ["serviceEntry"]],
    ]);
  });

  it("fills every list, with the names that the rules look for", async () => {
    const content = await readEverything();
    for (const list of [
      "age_brackets",
      "canines",
      "custody_statuses",
      "education_levels",
      "ethnicities",
      "hate_crime_categories",
      "income_levels",
      "magisterial_court_outcomes",
      "offender_relationships",
      "pfa_court_contact_types",
      "referral_sources",
      "secondary_victimizations",
    ]) {
      expect((content[list] as unknown[]).length, list).toBeGreaterThanOrEqual(5);
    }
    await db().canine.findUniqueOrThrow({ where: { name: "None" } });
    await db().ethnicity.findUniqueOrThrow({ where: { name: "Other" } });
    await db().magisterialCourtOutcome.findUniqueOrThrow({ where: { name: "Other" } });
  });

  it("offers service codes to every form type with services, and hotel and video only to Service", async () => {
    expect(await db().serviceCode.count()).toBeGreaterThanOrEqual(20);
    const formTypes = await db().formType.findMany({
      include: { serviceCodes: { include: { serviceCode: true } } },
    });
    for (const type of formTypes) {
      const offered = type.serviceCodes.map(({ serviceCode }) => serviceCode);
      if (!type.serviceEntry) expect(offered, type.name).toEqual([]);
      else expect(offered.length, type.name).toBeGreaterThanOrEqual(10);
      if (type.name === "Service") {
        expect(offered.filter((code) => code.hotelShelter).length).toBeGreaterThanOrEqual(1);
        expect(offered.filter((code) => code.videoconferencing).length).toBeGreaterThanOrEqual(1);
      }
      if (type.legalAdvocacyEntry) expect(offered.some((code) => code.canBeMagistrate)).toBe(true);
      if (type.onCallAdvocacyEntry) expect(offered.some((code) => code.onCallMainType)).toBe(true);
      if (type.serviceEntry) expect(offered.some((code) => code.hasReferral)).toBe(true);
    }
  });

  it("changes nothing when it runs a second time", async () => {
    const before = await readEverything();
    await seed();
    expect(await readEverything()).toEqual(before);
  });

  it("creates everything once when several processes start together", async () => {
    const before = await readEverything();
    await runWithoutTimeout(`TRUNCATE ${(await tables()).join(", ")} RESTART IDENTITY CASCADE`);
    await Promise.all([1, 2, 3].map(() => prepareDatabase(url, {}, false)));
    const after = await readEverything();
    for (const [table, content] of Object.entries(before)) {
      expect((after[table] as unknown[] | null)?.length, table).toBe((content as unknown[] | null)?.length);
    }
  });

  it("keeps what administrators edited, renamed and deleted", async () => {
    await db().ageBracket.update({ where: { name: "18–24" }, data: { rangeStart: 17 } });
    await db().canine.update({ where: { name: "Otis" }, data: { name: "Otto" } });
    await db().canine.delete({ where: { name: "Clover" } });
    await db().hateCrimeCategory.deleteMany();
    await db().referralSource.update({ where: { code: "SELF" }, data: { description: "Came alone" } });
    await db().serviceCode.delete({ where: { code: "COMP" } });
    await db().serviceCode.update({ where: { code: "CHILD" }, data: { formTypes: { deleteMany: {} } } });
    await db().role.delete({ where: { name: "Advocate" } });
    await db().role.update({ where: { name: "Administrator" }, data: { name: "Chief" } });
    await db().rolePermission.deleteMany({ where: { permission: { name: "Canines" } } });

    const before = await readEverything();
    await seed();
    expect(await readEverything()).toEqual(before);
  });

  it("gives a new permission to the roles that manage users and roles, whatever their name", async () => {
    await db().rolePermission.deleteMany({ where: { permission: { name: "Service Codes" } } });
    await db().permission.delete({ where: { name: "Service Codes" } });
    await db().role.update({ where: { name: "Administrator" }, data: { name: "Chief" } });

    await seed();
    expect([...(await permissionsOf("Chief"))].sort()).toEqual([...PERMISSION_NAMES].sort());
    expect(await permissionsOf("Advocate")).toEqual([
      "Forms",
      "Clients",
      "Contacts",
      "Shelter",
      "Activities",
      "Groups",
      "Events",
      "Outcome Surveys",
    ]);
  });
});

describe("the demo data", () => {
  const addUser = async (email: string) => {
    const { id } = await db().role.findUniqueOrThrow({ where: { name: "Advocate" } });
    return db().user.create({ data: { firstName: "Ada", lastName: "Test", email, roleId: id } });
  };
  /** Returns the forms that no group session wrote. */
  const readForms = () =>
    db().form.findMany({
      where: { attendance: null },
      include: {
        formType: true,
        canine: true,
        client: true,
        serviceStatusEntry: true,
        intakeForm: {
          include: {
            phoneEntry: { include: { incomeAndEducationEntry: true } },
            onCallAdvocacyEntry: true,
            legalAdvocacyEntry: { include: { pfaCourtEntry: true, magisterialEntry: true } },
            survivorEntry: {
              include: { secondaryVictimizations: true, brainInjuryEntry: true, offenderEntry: true },
            },
          },
        },
        serviceEntry: {
          include: {
            serviceProvidedEntries: {
              include: {
                videoconferencingEntry: true,
                hotelShelterEntry: true,
                serviceCode: { include: { formTypes: true } },
              },
            },
          },
        },
      },
    });

  it("is 40 clients and 120 forms over six months, of all types and statuses, half of them reconciled", async () => {
    const users = [await addUser("one@example.org"), await addUser("two@example.org")];
    await seedDemo();
    const clients = await db().client.findMany();
    const forms = await readForms();
    expect(clients.length).toBe(40);
    expect(new Set(clients.map(({ name }) => name)).size).toBe(40);
    expect(forms.length).toBe(120);
    for (const own of [clients, forms]) {
      expect(new Set(own.map(({ userId }) => userId))).toEqual(new Set(users.map(({ id }) => id)));
    }
    for (const type of await db().formType.findMany()) {
      expect(forms.filter(({ formTypeId }) => formTypeId === type.id).length, type.name).toBe(24);
    }
    for (const status of SERVICE_STATUSES) {
      expect(forms.some(({ serviceStatus }) => serviceStatus === status)).toBe(true);
    }
    const reconciled = forms.filter((form) => form.reconciled).length;
    expect(reconciled).toBeGreaterThan(40);
    expect(reconciled).toBeLessThan(80);

    const now = Date.parse(`${today()}T00:00:00Z`);
    for (const { serviceOn, client } of forms) {
      const days = (now - serviceOn.getTime()) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(0);
      expect(days).toBeLessThanOrEqual(184);
      expect(serviceOn.getTime()).toBeGreaterThanOrEqual(client.createdOn.getTime());
    }
  });

  it("has a group with two past sessions, and one form for each attendance", async () => {
    await addUser("one@example.org");
    await addUser("two@example.org");
    await seedDemo();
    const sessions = await db().groupSession.findMany({
      include: { leaders: true, attendances: { include: { form: true, client: true } } },
      orderBy: { heldOn: "asc" },
    });
    expect(sessions.map(({ attendances }) => attendances.length)).toEqual([6, 7]);
    for (const { heldOn, leaders, attendances } of sessions) {
      expect(leaders).toHaveLength(2);
      for (const { form, client } of attendances) {
        expect(form).toMatchObject({ clientId: client.id, serviceOn: heldOn, serviceStatus: "Served" });
        expect(heldOn.getTime()).toBeGreaterThanOrEqual(client.createdOn.getTime());
      }
    }
  });

  it("has every section of each form's type, and nothing that the rules would clear", async () => {
    await addUser("one@example.org");
    await seedDemo();
    const codes = new Map((await db().serviceCode.findMany()).map((code) => [code.id, code]));
    for (const form of await readForms()) {
      const { formType: type, intakeForm: entry, serviceEntry } = form;
      expect(Boolean(entry?.phoneEntry?.incomeAndEducationEntry)).toBe(type.phoneEntry);
      expect(Boolean(entry?.onCallAdvocacyEntry)).toBe(type.onCallAdvocacyEntry);
      expect(Boolean(entry?.legalAdvocacyEntry)).toBe(type.legalAdvocacyEntry);
      expect(Boolean(entry?.survivorEntry?.offenderEntry)).toBe(type.survivorEntry);
      expect(Boolean(serviceEntry?.serviceProvidedEntries.length)).toBe(type.serviceEntry);
      expect(Boolean(form.serviceStatusEntry)).toBe(
        serviceStatus.shows(SERVICE_STATUSES.find((status) => status === form.serviceStatus)),
      );
      if (form.serviceStatusEntry) serviceStatus.schema.parse(form.serviceStatusEntry);
      if (type.phone) expect(form.canine?.name).toBe("None");

      const legal = entry?.legalAdvocacyEntry;
      expect(Boolean(legal?.magisterialEntry)).toBe(legal?.placeOfService === "M");
      expect(Boolean(legal?.pfaCourtEntry)).toBe(legal?.placeOfService === "CT");
      const rules = { formType: type, noneCanineId: form.canineId, codes };
      expect(clearForm(form as never, rules)).toEqual(form);
      if (!serviceEntry) continue;
      for (const provided of serviceEntry.serviceProvidedEntries) {
        const { serviceCode } = provided;
        expect(serviceCode.formTypes.some(({ formTypeId }) => formTypeId === type.id)).toBe(true);
        expect(Boolean(provided.hotelShelterEntry)).toBe(serviceCode.hotelShelter);
        expect(Boolean(provided.videoconferencingEntry)).toBe(serviceCode.videoconferencing);
        if (provided.referrals) expect(serviceCode.hasReferral).toBe(true);
      }
    }
    const other = otherEthnicityId(await db().ethnicity.findMany());
    const demographics = await db().clientDemographicEntry.findMany();
    for (const entry of demographics) expect(demographic.clear(entry as never, other)).toEqual(entry);
    expect(demographics.length).toBe(40);
    expect(await db().clientBiographicalEntry.count()).toBe(40);
    expect(await db().hotelShelterEntry.count()).toBeGreaterThan(0);
    expect(await db().videoconferencingEntry.count()).toBeGreaterThan(0);
  });

  it("leaves the id sequences correct for new records", async () => {
    const { id: userId } = await addUser("one@example.org");
    await seedDemo();
    const client = await db().client.create({ data: { name: "Next", createdOn: new Date(), userId } });
    const form = await db().form.create({
      data: {
        clientId: client.id,
        formTypeId: 1,
        serviceOn: new Date(),
        serviceStatus: "Served",
        verbalConfirmation: true,
        userId,
        intakeForm: { create: { phoneEntry: { create: {} } } },
        serviceEntry: { create: { serviceProvidedEntries: { create: [{ serviceCodeId: 1, minutes: 5 }] } } },
      },
    });
    // The forms of the group's sessions follow the 120 others.
    expect([client.id, form.id]).toEqual([41, 134]);
  });

  it("is created however long that takes", async () => {
    await addUser("one@example.org");
    await rows(
      sql`CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2.2); RETURN NULL; END'`,
    );
    // Together longer than a request's transaction may last.
    const slow = ["clients", "forms", "intake_forms", "service_entries"];
    for (const table of slow)
      await rows(sql`CREATE TRIGGER slow BEFORE INSERT ON ${identifier(table)} EXECUTE FUNCTION be_slow()`);
    try {
      await seedDemo();
    } finally {
      await rows(sql`DROP FUNCTION be_slow CASCADE`);
    }
    expect(await db().form.count()).toBe(133);
  });

  it("is created once: not again after it was deleted, and not without an account", async () => {
    await seedDemo();
    expect(await db().client.count()).toBe(0);

    await addUser("one@example.org");
    await Promise.all([1, 2].map(() => prepareDatabase(url, {}, true)));
    const before = await readEverything();
    await seedDemo();
    expect(await readEverything()).toEqual(before);

    await db().attendance.deleteMany();
    await db().groupSession.deleteMany();
    await db().form.deleteMany();
    await db().stay.deleteMany();
    await db().group.deleteMany();
    await db().client.deleteMany();
    await seedDemo();
    expect(await db().client.count()).toBe(0);
  });
});
