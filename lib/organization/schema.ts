import * as z from "zod/mini";
import { contrast } from "@/lib/core/branding/palette";
import { converted, longText, requiredText, text } from "@/lib/core/fields/validation";
import { whole } from "@/lib/core/text/format";

const SHORT_NAME_MAX = 30;
export const HELP_TEXT_MAX = 500;
export const LOGO_MAX_KB = 512;
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;

const tooLong = (max: number) => `must be at most ${whole(max)} characters`;

/**
 * A web address, also without `https://`. The login page shows the help text to everyone, so that nobody may send people
 * elsewhere with it. An email address and a phone number are none.
 */
const LINK =
  /[a-z][a-z\d+.-]*:\/\/|\b(javascript|data|mailto|tel|sms):|\bwww\.|(?<![@\w.-])([a-z\d-]+\.)+(com|org|net|gov|edu|mil|us|info|io|co|app|dev|biz|me|ly|link|site|online|xyz)\b/i;

export const shortName = text().check(
  z.refine((name) => name.length <= SHORT_NAME_MAX, { error: tooLong(SHORT_NAME_MAX) }),
);

export const helpText = longText().check(
  z.refine((words) => words.length <= HELP_TEXT_MAX, { error: tooLong(HELP_TEXT_MAX) }),
  z.refine((words) => !LINK.test(words), { error: "must not contain a web address" }),
);

const WHITE = "#ffffff";
const BLACK = "#000000";
/** The contrast with white of a shape that people must see (WCAG 2.2, 1.4.11). */
const LIGHT_CONTRAST = 3;
/** A darker color looks black, so that lightening it for dark screens would give gray. */
const DARK_CONTRAST = 1.2;

/**
 * Returns the problem of a color (`#rrggbb`), or null. A color that has none is darkened or lightened a little where text
 * would be hard to read (`paletteOf`).
 */
export function colorProblem(color: string): string | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return "must be a color like #0b6b64";
  if (contrast(color, WHITE) < LIGHT_CONTRAST)
    return "is too light to be seen on a light screen. Please choose a darker color.";
  if (contrast(color, BLACK) < DARK_CONTRAST)
    return "is too dark to be seen on a dark screen. Please choose a lighter color.";
  return null;
}

export const color = z.nullable(
  converted(z.string(), (value, refuse) => {
    const problem = colorProblem(value);
    return problem === null ? value.toLowerCase() : refuse(problem);
  }),
);

const lockVersion = z.int().check(z.minimum(0));

/** The organization in a response. */
const organization = z.object({
  name: z.string(),
  shortName: z.string(),
  helpText: z.string(),
  /** Null for the product's own colors. */
  color: z.nullable(z.string()),
  /** The address of the logo; null without one. */
  logo: z.nullable(z.string()),
  lockVersion: z.int(),
});
export const organizationResponse = z.object({ organization });
export type Organization = z.output<typeof organization>;

/** The body of `PUT /api/organization`. */
export const organizationBody = z.object({
  organization: z.object({
    name: z.optional(requiredText()),
    shortName: z.optional(shortName),
    helpText: z.optional(helpText),
    color: z.optional(color),
    /** A PNG, JPEG, or WebP as base64, also as a data URL; null removes it. The address of the present logo changes nothing. */
    logo: z.optional(z.nullable(z.string())),
    lockVersion: z.optional(lockVersion),
  }),
});
export type OrganizationInput = z.output<typeof organizationBody>["organization"];
