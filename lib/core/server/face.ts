import "server-only";
import { env } from "@/lib/core/server/env";
import { type Logo, readLogo } from "@/lib/core/server/logo";
import { type Palette, paletteOf } from "@/lib/core/server/palette";

let read: { logo: Logo | null; palette: Palette | null } | undefined;

function made() {
  const { ORGANISATION_LOGO, ORGANISATION_COLOUR } = env();
  read ??= {
    logo: ORGANISATION_LOGO ? readLogo(ORGANISATION_LOGO) : null,
    palette: ORGANISATION_COLOUR ? paletteOf(ORGANISATION_COLOUR) : null,
  };
  return read;
}

/** The organisation's logo; null without one. Read once. */
export const logo = (): Logo | null => made().logo;

/** The organisation's colours; null for the product's own. */
export const palette = (): Palette | null => made().palette;

/** Whose program it is, for the screens (`Brand`). */
export function face(): { organisation: string; help: string; hasLogo: boolean } {
  const { ORGANISATION_NAME, ORGANISATION_HELP } = env();
  return { organisation: ORGANISATION_NAME, help: ORGANISATION_HELP, hasLogo: logo() !== null };
}
