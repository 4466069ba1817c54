import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { keysOf } from "@/lib/core/fields/by-key";
import { environmentVariables } from "@/lib/core/server/env";
// Sets the messages of rejected values, which another module of the same process may have set already.
import "@/lib/core/fields/validation";

// `node --import ./lib/ops/tsx.mjs lib/dev/configuration-table.ts` writes the table of variables into
// docs/operate/configure.md. tests/docs.test.ts fails if the committed table differs.

type Variable = keyof typeof environmentVariables;

/** The purpose of each variable, in one or two sentences. A variable without a description does not compile. */
const MEANINGS: Record<Variable, string> = {
  NODE_ENV: "Set by the start script. Do not set it.",
  PORT: "The port of the web server.",
  LOG_LEVEL: "The minimum level that is logged (docs/operate/monitor.md).",
  METRICS_TOKEN:
    "The token with which Prometheus reads `/metrics`. If blank, only programs on the same machine can read it.",
  DATABASE_URL:
    "The PostgreSQL server to use, 15 or later. If blank, Lanternbook runs its own PostgreSQL in `DATA_DIR`.",
  DATABASE_OWNER_URL:
    "The role that owns the database and migrates it. `DATABASE_URL` then names a second role, which can only insert and read audit rows.",
  DATABASE_REPLICA_URL: "A physical standby. Reports and exports are read from it.",
  DATABASE_TLS: "`true` refuses to start unless every database URL has `?sslmode=verify-full`.",
  DATABASE_POOLER: "Set it if `DATABASE_URL` names a PgBouncer in transaction mode.",
  DATA_DIR: "The folder of the embedded PostgreSQL and of unsent mail.",
  APP_URL:
    "The URL that staff open. Links in mail begin with it. `https` makes cookies `Secure` and sends HSTS. Requests under another host name get 421. If blank: `http://localhost:PORT`.",
  AUTH_SECRET:
    "All keys are derived from it: cookies, mailed links, drafts, audit trail. Required with `DATABASE_URL`. If blank otherwise, it is created once in `DATA_DIR/auth-secret`.",
  AUTH_SECRET_PREVIOUS: "The previous secret while you replace `AUTH_SECRET`.",
  ADMIN_EMAIL:
    "The first administrator, created at the start if no account that can sign in holds Users and Roles. Remove both lines afterwards.",
  ADMIN_PASSWORD: "The password of the first administrator. It must meet the password rules.",
  REFUSE_COMMON_PASSWORDS:
    "`true` rejects a new password that is common or contains the user's name. Otherwise screens only warn.",
  TZ: "The organization's time zone. It decides what “today” is. If blank: the machine's.",
  AUDIT_REQUIRED:
    "`true` returns 503 for anything that cannot be recorded in the audit trail, reading included.",
  AUDIT_KEEP_MONTHS: "Months after which the audit trail is dropped, a whole month at a time.",
  ALARM_CLIENTS_AN_HOUR:
    "An alarm is raised if one account opens more different clients than this in an hour.",
  SESSION_IDLE_MINUTES: "A session ends after this many minutes without a request.",
  SESSION_MAX_HOURS: "A session ends after this many hours, even if it is in use.",
  PROOF_MINUTES:
    "Sensitive changes require the password again if it was last entered more than this many minutes ago. 0 turns the check off.",
  TRUSTED_PROXIES:
    "Addresses or subnets of the reverse proxies, separated by commas or spaces. `X-Forwarded-For` counts only from them, and only its last entry.",
  BACKUP_PASSPHRASE: "The passphrase that backups are encrypted with. Keep a copy outside the server.",
  BACKUP_KEY_FILE: "Instead of the passphrase: the full path of a file whose first line is the key.",
  BACKUP_RECIPIENTS:
    "Public keys of age, separated by spaces. If set, `npm run backup` encrypts for them instead (docs/operate/backup-keys.md).",
  BACKUP_DIR:
    "The folder in which Home looks for the newest backup, if it is not `DATA_DIR/backups`. Docker Compose sets it.",
  BACKUP_KEEP_DAYS: "Days that backups are kept. Deleted records live on in backups for this long.",
  OIDC_ISSUER: "The OpenID Connect issuer, exactly as its own description names it.",
  OIDC_CLIENT_ID: "The client id from the provider.",
  OIDC_CLIENT_SECRET: "The client secret from the provider.",
  OIDC_NAME: "What the login page calls the provider. If blank: `ORGANIZATION_NAME`.",
  OIDC_ONLY: "`true` makes single sign-on the only way to sign in, except for `OIDC_BREAK_GLASS`.",
  OIDC_BREAK_GLASS: "The email of the one administrator who keeps a password. Required with `OIDC_ONLY`.",
  SMTP_URL:
    "The mail server. If blank, mail is written to `DATA_DIR` as `.eml` files and its link is printed.",
  MAIL_FROM: "The sender of mail. If blank: the organization's name and `no-reply@` the host of `APP_URL`.",
  SENTRY_DSN: "Where failures are reported, masked. If blank, nothing leaves the machine.",
  SENTRY_ENVIRONMENT: "The environment under which failures are reported.",
  ALLOW_OWN_RECONCILE: "`false`: users cannot reconcile their own forms.",
  SHOW_COLLEAGUES_FORMS:
    "`true`: a client's page shows advocates only the date and type of their colleagues' forms.",
  STAY_ALERT_DAYS: "Home lists open shelter stays of more days than this.",
  ORGANIZATION_NAME: "The organization's name on screens, prints, and mail.",
  ORGANIZATION_LOGO: "The path of the logo. Mail omits an SVG logo. Docker Compose needs the full path.",
  ORGANIZATION_COLOR: "The organization's color. It is darkened or lightened where text would be unreadable.",
  ORGANIZATION_HELP: "One line about where to get help, such as `Help: extension 214`.",
};

/** Values that break a rule, if the variable has one. */
const PROBES = ["?", "x".repeat(1_000)];

/** Returns the rule for a value, in the words with which the start rejects an invalid one. */
function ruleOf(name: Variable): string {
  const rejected = PROBES.map((probe) => environmentVariables[name].safeParse(probe).error?.issues ?? []);
  const issues = rejected.find(({ length }) => length > 0) ?? [{ message: "text" }];
  return issues
    .map(({ message }) => message)
    .join("; ")
    .replace(/^must (be |name |have |list )?/, "")
    .replace(/^Invalid option: expected one of /, "")
    .replace(/^Too big: expected string to have <=(\d+) characters$/, "at most $1 characters")
    .replaceAll("|", " or ")
    .replaceAll('"', "");
}

/** Returns the default for a blank variable; "" if there is none. */
function defaultOf(name: Variable): string {
  const value = environmentVariables[name].safeParse(undefined).data;
  return value === undefined || String(value) === "" ? "" : `\`${String(value)}\``;
}

/** Returns the Markdown table of all variables that the program reads, in the order of their declaration. */
export function configurationTable(): string {
  const rows = keysOf(environmentVariables).map(
    (name) => `| \`${name}\` | ${MEANINGS[name]} | ${ruleOf(name)} | ${defaultOf(name)} |`,
  );
  return ["| variable | what it does | allowed | default |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

export const CONFIGURATION_PAGE = "docs/operate/configure.md";
const TABLE = /(<!-- generated by lib\/dev\/configuration-table\.ts -->\n)[\s\S]*?(\n<!-- end -->)/;

/** Returns the page with the current table in place of the committed one. */
export const withTable = (page: string): string =>
  page.replace(TABLE, (_, begin: string, end: string) => `${begin}\n${configurationTable()}\n${end}`);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await writeFile(CONFIGURATION_PAGE, withTable(await readFile(CONFIGURATION_PAGE, "utf8")));
