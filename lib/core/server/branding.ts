import "server-only";
import { env } from "@/lib/core/server/env";
import { type Logo, readLogo } from "@/lib/core/server/logo";
import { type Palette, paletteOf } from "@/lib/core/server/palette";

let read: { logo: Logo | null; palette: Palette | null } | undefined;

function made() {
  const { ORGANIZATION_LOGO, ORGANIZATION_COLOR } = env();
  read ??= {
    logo: ORGANIZATION_LOGO ? readLogo(ORGANIZATION_LOGO) : null,
    palette: ORGANIZATION_COLOR ? paletteOf(ORGANIZATION_COLOR) : null,
  };
  return read;
}

/** The organization's logo; null without one. Read once. */
export const logo = (): Logo | null => made().logo;

/** The organization's colors; null for the product's own. */
export const palette = (): Palette | null => made().palette;

/** Whose program it is, for the screens (`Brand`). */
export function face(): { organization: string; help: string; hasLogo: boolean } {
  const { ORGANIZATION_NAME, ORGANIZATION_HELP } = env();
  return { organization: ORGANIZATION_NAME, help: ORGANIZATION_HELP, hasLogo: logo() !== null };
}
