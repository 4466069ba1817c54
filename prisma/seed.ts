import { PERMISSION_NAMES } from "@/lib/core/access/permissions";
import { db, type Tx, UNHURRIED } from "@/lib/core/database/client";
import type { Permission } from "@/lib/generated/prisma/client";
import * as data from "@/prisma/seed-data";
import { seedReports } from "@/prisma/seed-reports";

/**
 * Fills a new database with permissions, roles, form types and lists, once: a later run
 * adds only the permissions and the reports that the product has gained since. What administrators edited, renamed or deleted
 * stays so. Nobody edits permissions, and all is one transaction: their presence says that the first run is done.
 * Processes that start together take turns (lib/ops/prepare.ts).
 */
export async function seed(): Promise<void> {
  await db().$transaction(async (tx) => {
    const known = new Set((await tx.permission.findMany()).map(({ name }) => name));
    const added = await tx.permission.createManyAndReturn({
      data: PERMISSION_NAMES.filter((name) => !known.has(name)).map((name) => ({ name })),
    });
    if (known.size > 0) await grantToAdministrators(tx, added);
    else {
      await seedRoles(tx, added);
      await seedLists(tx);
      await seedServiceCodes(tx);
    }
    await seedReports(tx);
  }, UNHURRIED);
}

/**
 * Nobody can grant a permission that they do not hold, so a new one goes to the roles that hold
 * Users and Roles. The last such account cannot be removed; the role may have another name by now.
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
  for (const [name, held] of Object.entries(data.roles)) {
    const granted = permissions.filter((permission) => held.some((own) => own === permission.name));
    await tx.role.create({
      data: { name, permissions: { createMany: { data: granted.map(({ id }) => ({ permissionId: id })) } } },
    });
  }
}

const named = (names: readonly string[]) => ({ data: names.map((name) => ({ name })) });

async function seedLists(tx: Tx) {
  await tx.ageBracket.createMany({ data: data.ageBrackets });
  await tx.incomeLevel.createMany({ data: data.incomeLevels });
  await tx.educationLevel.createMany({ data: data.educationLevels });
  await tx.referralSource.createMany({ data: data.referralSources });
  await tx.ethnicity.createMany(named(data.ethnicities));
  await tx.offenderRelationship.createMany(named(data.offenderRelationships));
  await tx.custodyStatus.createMany(named(data.custodyStatuses));
  await tx.hateCrimeCategory.createMany(named(data.hateCrimeCategories));
  await tx.secondaryVictimization.createMany(named(data.secondaryVictimizations));
  await tx.magisterialCourtOutcome.createMany(named(data.magisterialCourtOutcomes));
  await tx.pfaCourtContactType.createMany(named(data.pfaCourtContactTypes));
  await tx.canine.createMany(named(data.canines));
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
