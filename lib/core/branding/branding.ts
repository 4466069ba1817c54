import "server-only";
import type { Brand } from "@/lib/core/branding/brand";
import { type Logo, readLogo } from "@/lib/core/branding/logo";
import { type Palette, paletteOf } from "@/lib/core/branding/palette";
import { rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { log } from "@/lib/core/process/log";
import { processWide } from "@/lib/core/process-wide";
import { constant, sql } from "@/lib/core/sql";

/** The stored settings of the organization. Null, and "" for a name, mean the value of the environment. */
export type StoredBranding = {
  name: string | null;
  shortName: string;
  helpText: string | null;
  color: string | null;
  logoHash: string | null;
};
const NOTHING_STORED: StoredBranding = {
  name: null,
  shortName: "",
  helpText: null,
  color: null,
  logoHash: null,
};

export const ORGANIZATION_ID = 1;

/** Another process shows a change after this many milliseconds at most. */
const FRESH_MS = 5_000;

type Cache = {
  stored: StoredBranding;
  readAt: number;
  reading: Promise<void> | null;
  image: Logo | null;
  /** The environment's logo, which is read once. */
  file: { path: string; image: Logo | null };
};
const cache = processWide(
  "branding",
  (): Cache => ({
    stored: NOTHING_STORED,
    readAt: 0,
    reading: null,
    image: null,
    file: { path: "", image: null },
  }),
);

async function read(): Promise<void> {
  const [row] = await rows<StoredBranding>(
    sql`SELECT name, short_name AS "shortName", help_text AS "helpText", color, logo_hash AS "logoHash"
     FROM organizations WHERE id = ${constant(ORGANIZATION_ID)}`,
  );
  cache.stored = row ?? NOTHING_STORED;
  cache.readAt = Date.now();
}

/** Returns the stored settings. While the database does not respond, those that were read last. */
async function stored(): Promise<StoredBranding> {
  if (Date.now() - cache.readAt < FRESH_MS) return cache.stored;
  cache.reading ??= read()
    .catch((error: unknown) => log.warn(error, "The organization could not be read"))
    .finally(() => {
      cache.reading = null;
    });
  await cache.reading;
  return cache.stored;
}

/** Lets the next call read the settings again, after they were saved. */
export function forgetBranding(): void {
  cache.readAt = 0;
}

function fileLogo(): Logo | null {
  const { ORGANIZATION_LOGO: path = "" } = env();
  if (cache.file.path !== path) cache.file = { path, image: readLogo(path) };
  return cache.file.image;
}

async function storedLogo(hash: string): Promise<Logo | null> {
  if (cache.image?.hash === hash && cache.stored.logoHash === hash) return cache.image;
  const [row] = await rows<{ bytes: Buffer; type: string }>(
    sql`SELECT logo AS bytes, logo_type AS type FROM organizations
     WHERE id = ${constant(ORGANIZATION_ID)} AND logo_hash = ${hash}`,
  );
  if (row) cache.image = { type: row.type, bytes: Buffer.from(row.bytes), hash };
  return row ? cache.image : null;
}

/** Returns the organization's logo; null without one. */
export async function logo(): Promise<Logo | null> {
  const { logoHash } = await stored();
  return (logoHash && (await storedLogo(logoHash))) || fileLogo();
}

/** Returns the logo with this hash; null if the organization has another one now. */
export async function logoOf(hash: string): Promise<Logo | null> {
  const image = fileLogo();
  if (image?.hash === hash) return image;
  await stored();
  return storedLogo(hash);
}

/** Returns the address of a logo by its hash. */
const logoPath = (hash: string): string => `/branding/${hash}`;

/** Returns what is shown for stored settings; the environment has the rest. A color of null is the product's own. */
export function shownBranding({
  name,
  shortName,
  helpText,
  color,
  logoHash,
}: StoredBranding): Brand & { color: string | null } {
  const { ORGANIZATION_NAME, ORGANIZATION_HELP, ORGANIZATION_COLOR } = env();
  const hash = logoHash ?? fileLogo()?.hash ?? null;
  return {
    organization: name || ORGANIZATION_NAME,
    shortName,
    help: helpText ?? ORGANIZATION_HELP,
    color: color ?? ORGANIZATION_COLOR ?? null,
    logo: hash && logoPath(hash),
  };
}

/** Returns the organization's colors; null for the product's own. */
export async function palette(): Promise<Palette | null> {
  const { color } = shownBranding(await stored());
  return color === null ? null : paletteOf(color);
}

/** Returns the name, help text, and logo that screens, prints, and mail show. */
export async function branding(): Promise<Brand> {
  const { color: _, ...brand } = shownBranding(await stored());
  return brand;
}
