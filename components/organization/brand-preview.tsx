import { Wordmark } from "@/components/shell/brand";
import type { Brand } from "@/lib/core/branding/brand";
import { paletteOf, paletteStyle } from "@/lib/core/branding/palette";

const SCHEMES = { light: "Light", dark: "Dark" } as const;

/**
 * The header and the login page of an organization in both color schemes. It is a picture: nothing in it works. `color` is
 * null for the product's own.
 */
export function BrandPreview({ brand, color }: { brand: Brand; color: string | null }) {
  const colors = color === null ? undefined : paletteStyle(paletteOf(color));
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["light", "dark"] as const).map((scheme) => (
        <figure key={scheme} className="min-w-0">
          <figcaption className="mb-1 font-medium text-sm">{SCHEMES[scheme]}</figcaption>
          <div
            inert
            aria-hidden="true"
            data-scheme={scheme}
            style={colors}
            className="forced-color-adjust-none overflow-hidden rounded-lg border border-line bg-canvas text-ink"
          >
            <div className="flex h-12 items-center border-line border-b bg-surface px-3">
              <Wordmark compact brand={brand} />
            </div>
            <div className="card stack m-4 p-4">
              <p className="font-semibold text-lg">Login</p>
              <span className="button justify-center" data-variant="primary">
                Sign In
              </span>
              <span className="link">Forgot Password</span>
            </div>
            {brand.help && (
              <p className="mx-4 mb-4 whitespace-pre-line text-center text-muted text-sm wrap-anywhere">
                {brand.help}
              </p>
            )}
          </div>
        </figure>
      ))}
    </div>
  );
}
