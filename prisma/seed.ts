import { PERMISSION_NAMES } from "@/lib/core/access/permissions";
import { db, LONG_TIMEOUTS, type Tx } from "@/lib/core/database/client";
import type { Permission } from "@/lib/generated/prisma/client";
import { SEEDED_ROLES } from "@/lib/lookups/seeded-roles";
import * as data from "@/prisma/seed-data";
import { seedReports } from "@/prisma/seed-reports";

/**
 * Fills a new database with permissions, roles, form types and lists, once. A later run adds only new permissions and
 * reports; records that administrators edited, renamed or deleted stay as they are. No one edits permissions, and all
 * is one transaction, so their presence shows that the first run is done. Processes that start together take turns
 * (lib/ops/prepare.ts).
 */
export async function seed(): Promise<void> {
  await db().$transaction(async (tx) => {
    const existing = new Set((await tx.permission.findMany()).map(({ name }) => name));
    const newPermissions = await tx.permission.createManyAndReturn({
      data: PERMISSION_NAMES.filter((name) => !existing.has(name)).map((name) => ({ name })),
    });
    if (existing.size > 0) await grantToAdministrators(tx, newPermissions);
    else {
      await seedRoles(tx, newPermissions);
      await seedLists(tx);
      await seedServiceCodes(tx);
    }
    await seedReports(tx);
  }, LONG_TIMEOUTS);
}

/**
 * Users cannot grant a permission they do not have, so roles with Users and Roles get each new one. The last such
 * account cannot be removed; the role may have been renamed.
 */
async function grantToAdministrators(tx: Tx, added: Permission[]) {
  if (added.length === 0) return;
  const holds = (name: (typeof PERMISSION_NAMES)[number]) => ({
    permissions: { some: { permission: { name } } },
  });
  const roles = await tx.role.findMany({ where: { AND: [holds("Users"), holds("Roles")] } });
  await tx.rolePermission.createMany({
    data: roles.flatMap((role) => added.map(({ id }) => ({ roleId: role.id, permissionId: id }))),
  });
}

async function seedRoles(tx: Tx, permissions: Permission[]) {
  for (const [name, permissionNames] of Object.entries(SEEDED_ROLES)) {
    const granted = permissions.filter((permission) =>
      permissionNames.some((own) => own === permission.name),
    );
    await tx.role.create({
      data: { name, permissions: { createMany: { data: granted.map(({ id }) => ({ permissionId: id })) } } },
    });
  }
}

const namesOnly = (names: readonly string[]) => ({ data: names.map((name) => ({ name })) });

async function seedLists(tx: Tx) {
  await tx.ageBracket.createMany({ data: data.ageBrackets });
  await tx.incomeLevel.createMany({ data: data.incomeLevels });
  await tx.educationLevel.createMany({ data: data.educationLevels });
  await tx.referralSource.createMany({ data: data.referralSources });
  await tx.ethnicity.createMany(namesOnly(data.ethnicities));
  await tx.offenderRelationship.createMany(namesOnly(data.offenderRelationships));
  await tx.custodyStatus.createMany(namesOnly(data.custodyStatuses));
  await tx.hateCrimeCategory.createMany(namesOnly(data.hateCrimeCategories));
  await tx.secondaryVictimization.createMany(namesOnly(data.secondaryVictimizations));
  await tx.magisterialCourtOutcome.createMany(namesOnly(data.magisterialCourtOutcomes));
  await tx.pfaCourtContactType.createMany(namesOnly(data.pfaCourtContactTypes));
  await tx.canine.createMany(namesOnly(data.canines));
  await tx.exitDestination.createMany(namesOnly(data.exitDestinations));
  await tx.activityKind.createMany(namesOnly(data.activityKinds));
  await tx.eventKind.createMany(namesOnly(data.eventKinds));
  await tx.outcomeQuestion.createMany({ data: data.outcomeQuestions });
  await tx.contactKind.createMany({ data: data.contactKinds });
}

async function seedServiceCodes(tx: Tx) {
  const formTypes = await tx.formType.createManyAndReturn({ data: [...data.formTypes] });
  const codes = await tx.serviceCode.createManyAndReturn({
    data: data.serviceCodes.map(({ formTypes: _, ...code }) => code),
  });
  const codeIds = new Map(codes.map(({ code, id }) => [code, id]));
  await tx.serviceCodeFormType.createMany({
    data: data.serviceCodes.flatMap((seeded) =>
      formTypes
        .filter(({ name }) => seeded.formTypes.some((offered) => offered === name))
        .map(({ id }) => ({ serviceCodeId: codeIds.get(seeded.code) ?? 0, formTypeId: id })),
    ),
  });
}
