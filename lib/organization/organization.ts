import "server-only";
import type { Change } from "@/lib/audit/changes";
import { auditSave } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import {
  forgetBranding,
  ORGANIZATION_ID,
  type StoredBranding,
  shownBranding,
} from "@/lib/core/branding/branding";
import type { Logo } from "@/lib/core/branding/logo";
import { inTransaction, type Query, rows } from "@/lib/core/database/client";
import { assertVersion, type StoredVersion } from "@/lib/core/database/versions";
import { keysOf } from "@/lib/core/objects";
import { constant, empty, sql } from "@/lib/core/sql";
import { storableLogo } from "@/lib/organization/logo";
import type { Organization, OrganizationInput } from "@/lib/organization/schema";

type Row = StoredBranding & StoredVersion;

async function readRow(query: Query, locked: boolean): Promise<Row> {
  const [row] = await query<Row>(
    sql`SELECT name, short_name AS "shortName", help_text AS "helpText", color, logo_hash AS "logoHash",
       lock_version AS "lockVersion",
       (SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = updated_by_id) AS "changedBy"
     FROM organizations WHERE id = ${constant(ORGANIZATION_ID)} ${locked ? sql`FOR UPDATE` : empty}`,
  );
  if (!row) throw new Error("The row of the organization is missing");
  return row;
}

function organizationOf(row: Row): Organization {
  const { organization: name, shortName, help: helpText, color, logo } = shownBranding(row);
  return { name, shortName, helpText, color, logo, lockVersion: row.lockVersion };
}

/** Returns the organization as screens show it, with the version for a save. */
export async function readOrganization(actor: SessionUser): Promise<Organization> {
  assertAllowed(actor, "organization");
  return organizationOf(await readRow(rows, false));
}

/** Returns the image to store, null to remove it, and undefined to keep the present one. */
async function givenLogo(given: string | null | undefined): Promise<Logo | null | undefined> {
  if (given === undefined || given === null) return given;
  const { logo } = organizationOf(await readRow(rows, false));
  return given === logo ? undefined : storableLogo(given);
}

/**
 * Saves what the input has. A value that equals the shown one is not stored, so that it remains the environment's. Throws
 * 409 for an old version, and 422 for a logo that cannot be used.
 */
export async function saveOrganization(actor: SessionUser, input: OrganizationInput): Promise<Organization> {
  assertAllowed(actor, "organization");
  const { logo: sentLogo, lockVersion, ...texts } = input;
  const image = await givenLogo(sentLogo);
  const saved = await inTransaction(async (query) => {
    const row = await readRow(query, true);
    assertVersion(row, lockVersion);
    const before = organizationOf(row);
    const next: Row = { ...row };
    if (texts.name !== undefined && texts.name !== before.name) next.name = texts.name;
    if (texts.shortName !== undefined) next.shortName = texts.shortName;
    if (texts.helpText !== undefined && texts.helpText !== before.helpText) next.helpText = texts.helpText;
    if (texts.color !== undefined && texts.color !== before.color) next.color = texts.color;
    if (image !== undefined) next.logoHash = image?.hash ?? null;
    const after = organizationOf(next);
    const changes: Change[] = keysOf(after)
      .filter((field) => after[field] !== before[field])
      .map((field) => ({ field: `organization.${field}`, from: before[field], to: after[field] }));
    if (changes.length > 0) {
      const imageColumns =
        image === undefined
          ? empty
          : sql`, logo = ${image?.bytes ?? null}::bytea, logo_type = ${image?.type ?? null}, logo_hash = ${image?.hash ?? null}`;
      await query(
        sql`UPDATE organizations SET name = ${next.name}, short_name = ${next.shortName}, help_text = ${next.helpText},
           color = ${next.color}, updated_by_id = ${actor.userId}, updated_at = now(), lock_version = lock_version + 1
           ${imageColumns} WHERE id = ${constant(ORGANIZATION_ID)}`,
      );
    }
    await auditSave(query, actor, { entity: "organization", entityId: ORGANIZATION_ID, changes });
    return { ...after, lockVersion: row.lockVersion + (changes.length > 0 ? 1 : 0) };
  });
  forgetBranding();
  return saved;
}
