/** The colors derived from an organization's accent color, in light and dark (app/globals.css has the product's). */
export type Palette = Record<
  "accent" | "accent-strong" | "accent-soft" | "on-accent",
  [light: string, dark: string]
>;

type Rgb = readonly [number, number, number];

/** The contrast that text needs on its background (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
// The backgrounds of the accent: in each theme, the one with the least contrast (--subtle).
const SUBTLE_LIGHT = parseColor("#eaeef2");
const SUBTLE_DARK = parseColor("#222d37");
const SURFACE_DARK = parseColor("#182129");

function parseColor(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const toHex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

const mixed = (a: Rgb, b: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * share);
  return [part(0), part(1), part(2)];
};

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors (`#rrggbb`), 1 to 21. */
export const contrast = (a: string, b: string): number => ratio(parseColor(a), parseColor(b));

function ratio(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the color, moved towards black or white only as far as is needed to read it on every background. */
function readable(color: Rgb, towards: Rgb, ...backgrounds: Rgb[]): Rgb {
  const steps = Array.from({ length: 101 }, (_, step) => mixed(color, towards, step / 100));
  return steps.find((step) => backgrounds.every((ground) => ratio(step, ground) >= CONTRAST_MIN)) ?? towards;
}

/** Returns the palette of a color (`#rrggbb`). Each pair of text and background has a contrast of at least 4.5:1. */
export function paletteOf(color: string): Palette {
  const chosen = parseColor(color);
  const light = readable(chosen, BLACK, SUBTLE_LIGHT, WHITE);
  const dark = readable(chosen, WHITE, SUBTLE_DARK);
  const softLight = mixed(light, WHITE, 0.88);
  const softDark = mixed(chosen, SURFACE_DARK, 0.75);
  const pair = (a: Rgb, b: Rgb): [string, string] => [toHex(a), toHex(b)];
  const strongLight = readable(mixed(light, BLACK, 0.25), BLACK, softLight, WHITE);
  const strongDark = readable(mixed(dark, WHITE, 0.3), WHITE, softDark, SUBTLE_DARK);
  return {
    accent: pair(light, dark),
    "accent-strong": pair(strongLight, strongDark),
    "accent-soft": pair(softLight, softDark),
    "on-accent": pair(WHITE, readable(mixed(dark, BLACK, 0.85), BLACK, dark, strongDark)),
  };
}

/** Returns the palette as custom properties. */
export const paletteStyle = (palette: Palette): Record<string, string> =>
  Object.fromEntries(
    Object.entries(palette).map(([name, [light, dark]]) => [`--${name}`, `light-dark(${light}, ${dark})`]),
  );
