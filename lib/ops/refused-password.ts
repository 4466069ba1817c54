import "server-only";
import pg from "pg";
import { keysOf } from "@/lib/core/objects";
import { PlainError } from "@/lib/core/process/plain-error";

/** The variable with each URL's password, and its name in docker-compose.yml. */
const PASSWORD_OF = {
  DATABASE_OWNER_URL: ["DATABASE_OWNER_PASSWORD", "POSTGRES_PASSWORD"],
  DATABASE_URL: ["DATABASE_PASSWORD", "PROGRAM_PASSWORD, for practice PRACTICE_SECRET"],
} as const;
type Variable = keyof typeof PASSWORD_OF;
type DatabaseUrls = Partial<Record<Variable, string>>;

/** SQLSTATEs of a refused password or role, and Prisma's code for both. */
const REFUSED = new Set(["28P01", "28000", "P1000"]);
/** The driver itself throws it if PostgreSQL requires a password and the URL has none. */
const MISSING = /client password must be a/;

const roleIn = (url: string) => decodeURIComponent(new URL(url).username);

/**
 * Returns a PlainError that names the variable to check if PostgreSQL refused the password or role in one of the URLs,
 * or required a missing password. Returns any other error unchanged.
 */
export function explainRefusal(error: unknown, urls: DatabaseUrls): unknown {
  if (!(error instanceof Error)) return error;
  const isMissing = MISSING.test(error.message);
  if (!isMissing && !REFUSED.has(String("code" in error ? error.code : ""))) return error;
  const [, role] = /(?:for user "|role "|credentials for `)([^"`]+)/.exec(error.message) ?? [];
  const names = keysOf(PASSWORD_OF).filter((name) => urls[name]);
  const isMeant = (name: Variable) => {
    const url = urls[name] ?? "";
    return isMissing ? !new URL(url).password : roleIn(url) === role;
  };
  const name = names.find(isMeant) ?? names.at(-1) ?? "DATABASE_URL";
  return refusal(name, urls[name], isMissing ? "PostgreSQL requires a password" : "PostgreSQL refuses it");
}

function refusal(name: Variable, url: string | undefined, reason: string): PlainError {
  const [variable, inCompose] = PASSWORD_OF[name];
  const role = url ? roleIn(url) : "";
  return new PlainError(
    `The password of the database role ${role} is blank or wrong: ${reason}. Check ${variable}, or the password in ${name} (with Docker Compose: ${inCompose}). To change it, see docs/operate/keys.md.`,
  );
}

/**
 * Throws a PlainError if the program's role could not connect after the start had set its blank password. A role that
 * needs no password, such as one with a client certificate, must exist and keeps what it has. `owner` is connected.
 */
export async function assertProgramPassword(owner: pg.ClientBase, url: string): Promise<void> {
  const { username, password } = new URL(url);
  if (password) return;
  const { rows } = await owner.query(
    "SELECT current_user = $1 AS itself, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists",
    [decodeURIComponent(username)],
  );
  if (rows[0].itself) return;
  if (!rows[0].exists) throw refusal("DATABASE_URL", url, "a new role needs one");
  const program = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await program.connect();
  } catch (error) {
    throw explainRefusal(error, { DATABASE_URL: url });
  } finally {
    await program.end();
  }
}
