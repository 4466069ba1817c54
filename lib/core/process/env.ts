import "server-only";
import { z } from "zod";
import { readLogo } from "@/lib/core/branding/logo";
import { guessable } from "@/lib/core/passwords/guessable";
import { unmetPasswordRules } from "@/lib/core/passwords/rules";
import { FORMER_VARIABLES } from "@/lib/core/process/former-name";
import { parseSubnet } from "@/lib/core/process/subnets";

const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL like ${example}` }).optional();
const databaseUrl = url(/^postgres(ql)?$/, "postgresql://user:password@host:5432/name");
const email = z.email("must be an email address").optional();
const text = z.string().optional();
const secret = (least: number) => z.string().min(least, `must have at least ${least} characters`).optional();

const whole = (least: number, most: number, fallback: number) =>
  z.coerce
    .number(`must be a whole number from ${least} to ${most}`)
    .int()
    .min(least)
    .max(most)
    .default(fallback);

const yesOrNo = (fallback: boolean) =>
  z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((value) => value === "true")
    .default(fallback);

/** Words that are separated by commas or spaces. */
const list = (isValid: (word: string) => boolean, error: string) =>
  z
    .string()
    .default("")
    .transform((words) => words.split(/[\s,]+/).filter(Boolean))
    .refine((words) => words.every(isValid), error);

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
};

const fields = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  PORT: whole(1, 65535, 3000),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], { error: "must be debug, info, warn, or error" })
    .default("info"),
  LOG_DIR: text,
  METRICS_TOKEN: secret(16),
  DATABASE_URL: databaseUrl,
  DATABASE_OWNER_URL: databaseUrl,
  DATABASE_REPLICA_URL: databaseUrl,
  DATABASE_TLS: yesOrNo(false),
  DATABASE_POOLER: z.literal("transaction", "must be transaction, or empty").optional(),
  DATA_DIR: z.string().default(".data"),
  APP_URL: url(/^https?$/, "https://cases.example.org"),
  AUTH_SECRET: secret(32),
  AUTH_SECRET_PREVIOUS: secret(32),
  ADMIN_EMAIL: email,
  ADMIN_PASSWORD: z
    .string()
    .superRefine((password, context) => {
      for (const rule of unmetPasswordRules(password)) context.addIssue(rule);
    })
    .optional(),
  REFUSE_COMMON_PASSWORDS: yesOrNo(false),
  TZ: z.string().refine(isTimeZone, "must be a time zone name like America/New_York").optional(),
  AUDIT_REQUIRED: yesOrNo(false),
  AUDIT_KEEP_MONTHS: whole(1, 1200, 84),
  ALARM_CLIENTS_AN_HOUR: whole(1, 1_000_000, 200),
  SESSION_IDLE_MINUTES: whole(5, 24 * 60, 30),
  SESSION_MAX_HOURS: whole(1, 7 * 24, 12),
  PROOF_MINUTES: whole(0, 24 * 60, 30),
  TRUSTED_PROXIES: list(
    (entry) => parseSubnet(entry) !== null,
    "must list addresses or subnets like 172.18.0.0/16",
  ),
  BACKUP_PASSPHRASE: secret(16),
  BACKUP_KEY_FILE: text,
  BACKUP_RECIPIENTS: list(
    (key) => /^age1[a-z0-9]{50,}$/.test(key),
    "must list age public keys, which begin with age1",
  ),
  BACKUP_DIR: text,
  BACKUP_KEEP_DAYS: whole(1, 3650, 30),
  OIDC_ISSUER: z
    .url({
      protocol: /^https?$/,
      error: "must be a URL like https://login.example.org/realms/staff",
      // The next check parses it.
      abort: true,
    })
    .refine(
      (url) => url.startsWith("https:") || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname),
      "must use https, except on this machine",
    )
    .optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_NAME: z.string().max(60).optional(),
  OIDC_ONLY: yesOrNo(false),
  OIDC_BREAK_GLASS: email,
  SMTP_URL: url(/^smtps?$/, "smtp://user:password@host:587"),
  SMTP_REQUIRED: yesOrNo(false),
  MAIL_FROM: text,
  SENTRY_DSN: z.url("must be a URL").optional(),
  SENTRY_ENVIRONMENT: z.enum(["production", "staging"]).default("production"),
  ALLOW_OWN_RECONCILE: yesOrNo(true),
  SHOW_COLLEAGUES_FORMS: yesOrNo(false),
  STAY_ALERT_DAYS: whole(1, 3650, 60),
  ORGANIZATION_NAME: z.string().default("Victim Services"),
  ORGANIZATION_LOGO: z
    .string()
    .refine(
      (file) => readLogo(file) !== null,
      "must name a readable PNG, JPEG, WebP, or SVG file of at most 200 KB",
    )
    .optional(),
  ORGANIZATION_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: "must be a color like #0b6b64" })
    .optional(),
  ORGANIZATION_HELP: z.string().max(200).default(""),
});

const schema = fields
  .refine((e) => (e.ADMIN_EMAIL === undefined) === (e.ADMIN_PASSWORD === undefined), {
    path: ["ADMIN_PASSWORD"],
    error: "ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither",
  })
  .superRefine(({ REFUSE_COMMON_PASSWORDS, ADMIN_PASSWORD, ADMIN_EMAIL }, context) => {
    if (!REFUSE_COMMON_PASSWORDS || !ADMIN_PASSWORD || !ADMIN_EMAIL) return;
    const message = guessable(ADMIN_PASSWORD, { firstName: "", lastName: "", email: ADMIN_EMAIL });
    if (message) context.addIssue({ code: "custom", path: ["ADMIN_PASSWORD"], message });
  })
  .superRefine(({ DATABASE_TLS, DATABASE_URL, DATABASE_OWNER_URL, DATABASE_REPLICA_URL }, context) => {
    const urls = { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_REPLICA_URL };
    for (const [name, url] of Object.entries(urls)) {
      if (!DATABASE_TLS || !url || new URL(url).searchParams.get("sslmode") === "verify-full") continue;
      const message = "must include ?sslmode=verify-full if DATABASE_TLS is true";
      context.addIssue({ code: "custom", path: [name], message });
    }
  })
  .refine((e) => !e.DATABASE_OWNER_URL || e.DATABASE_URL, {
    path: ["DATABASE_OWNER_URL"],
    error: "requires DATABASE_URL, which names the role that the server uses",
  })
  .refine((e) => !e.DATABASE_REPLICA_URL || e.DATABASE_URL, {
    path: ["DATABASE_REPLICA_URL"],
    error: "requires DATABASE_URL, which names the primary database",
  })
  .refine((e) => !e.SMTP_REQUIRED || e.SMTP_URL, {
    path: ["SMTP_URL"],
    error: "is required here, such as smtp://user:password@host:587; or name a file in SMTP_URL_FILE",
  })
  .refine((e) => !e.DATABASE_URL || e.AUTH_SECRET, {
    path: ["AUTH_SECRET"],
    error: "is required with DATABASE_URL; create one with: openssl rand -base64 32",
  })
  .refine((e) => [e.OIDC_CLIENT_ID, e.OIDC_CLIENT_SECRET].every((set) => !set === !e.OIDC_ISSUER), {
    path: ["OIDC_ISSUER"],
    error: "requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set all three or none",
  })
  .refine((e) => !e.OIDC_ONLY || (e.OIDC_ISSUER && e.OIDC_BREAK_GLASS), {
    path: ["OIDC_ONLY"],
    error: "requires OIDC_ISSUER and OIDC_BREAK_GLASS, the one email that can still sign in with a password",
  })
  .refine((e) => !e.AUTH_SECRET_PREVIOUS || (e.AUTH_SECRET && e.AUTH_SECRET !== e.AUTH_SECRET_PREVIOUS), {
    path: ["AUTH_SECRET_PREVIOUS"],
    error: "requires a different AUTH_SECRET, which replaces it",
  })
  .refine((e) => !e.BACKUP_PASSPHRASE || !e.BACKUP_KEY_FILE, {
    path: ["BACKUP_KEY_FILE"],
    error: "must not be set together with BACKUP_PASSPHRASE: keep the one that backups are encrypted with",
  })
  .transform((e) => {
    const APP_URL = (e.APP_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, "");
    return {
      ...e,
      APP_URL,
      hasAppUrl: e.APP_URL !== undefined,
      TZ: e.TZ ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  });

/** The schemas of all variables, by name, without the rules between them. */
export const environmentVariables = fields.shape;

export type StartEnv = z.output<typeof schema>;
type Env = StartEnv & { DATABASE_URL: string; AUTH_SECRET: string };

/** An error that names every invalid variable, one per line. */
export class EnvError extends Error {}

/** Returns the variables by their present names, without those that are empty (`KEY=` in an .env file). */
function variablesIn(source: Record<string, string | undefined>): Record<string, string | undefined> {
  const named = { ...source };
  for (const [former, present] of Object.entries(FORMER_VARIABLES)) named[present] ||= source[former];
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""));
}

/** Parses and validates `source`, before the embedded database has added its DATABASE_URL and AUTH_SECRET. */
export function parseEnv(source: Record<string, string | undefined>): StartEnv {
  const parsed = schema.safeParse(variablesIn(source));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new EnvError(`Invalid configuration:\n${[...new Set(lines)].join("\n")}\nSee .env.example.`);
}

let cached: Env | undefined;

/**
 * Returns the environment of the running program. DATABASE_URL and AUTH_SECRET are set once lib/ops/start.ts has run.
 */
export function env(): Env {
  if (!cached) {
    const parsed = parseEnv(process.env);
    const { DATABASE_URL, AUTH_SECRET } = parsed;
    if (!DATABASE_URL || !AUTH_SECRET) throw new EnvError("DATABASE_URL and AUTH_SECRET are not set.");
    cached = { ...parsed, DATABASE_URL, AUTH_SECRET };
  }
  return cached;
}
