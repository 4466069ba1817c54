import "server-only";
import { env } from "@/lib/core/server/env";
import { type Logo, readLogo } from "@/lib/core/server/logo";
import { type Palette, paletteOf } from "@/lib/core/server/palette";

let cache: { logo: Logo | null; palette: Palette | null } | undefined;

function loadBranding() {
  const { ORGANIZATION_LOGO, ORGANIZATION_COLOR } = env();
  cache ??= {
    logo: ORGANIZATION_LOGO ? readLogo(ORGANIZATION_LOGO) : null,
    palette: ORGANIZATION_COLOR ? paletteOf(ORGANIZATION_COLOR) : null,
  };
  return cache;
}

/** Returns the organization's logo; null without one. It is read once. */
export const logo = (): Logo | null => loadBranding().logo;

/** Returns the organization's colors; null for the product's own. */
export const palette = (): Palette | null => loadBranding().palette;

/** Returns the name, help line and logo that screens show (`Brand`). */
export function branding(): { organization: string; help: string; hasLogo: boolean } {
  const { ORGANIZATION_NAME, ORGANIZATION_HELP } = env();
  return { organization: ORGANIZATION_NAME, help: ORGANIZATION_HELP, hasLogo: logo() !== null };
}
