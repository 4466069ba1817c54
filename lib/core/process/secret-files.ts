import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { EnvError, environmentVariables } from "@/lib/core/process/env";

type Environment = Record<string, string | undefined>;

/** The URLs that a separate password completes. The program's role also reads the replica. */
const PASSWORD_OF = {
  DATABASE_URL: "DATABASE_PASSWORD",
  DATABASE_REPLICA_URL: "DATABASE_PASSWORD",
  DATABASE_OWNER_URL: "DATABASE_OWNER_PASSWORD",
};

/** Each variable may be the content of a file instead: AUTH_SECRET as AUTH_SECRET_FILE. */
const NAMES = [...Object.keys(environmentVariables), ...new Set(Object.values(PASSWORD_OF))];

/** Adds the .env file of the working directory (unless `envFile` is false) and secrets in files to `process.env`. */
export function loadEnvironment({ envFile = true } = {}): void {
  if (envFile && existsSync(".env")) process.loadEnvFile(".env");
  readSecretFiles(process.env);
}

/**
 * Replaces each NAME_FILE by NAME with the content of that file, without the line break at its end. Then
 * moves DATABASE_PASSWORD and DATABASE_OWNER_PASSWORD into the URLs that have no password. Throws EnvError with every
 * variable whose file cannot be used.
 */
export function readSecretFiles(environment: Environment): void {
  const problems: string[] = [];
  for (const name of NAMES) {
    const variable = `${name}_FILE`;
    const file = environment[variable];
    if (!file) continue;
    const problem = environment[name] ? `must not be set together with ${name}` : undefined;
    const secret = problem ? "" : contentOf(file);
    if (secret) environment[name] = secret;
    else problems.push(`  ${variable}: ${problem ?? "must name a readable file that is not empty"}`);
    delete environment[variable];
  }
  if (problems.length > 0)
    throw new EnvError(`Invalid configuration:\n${problems.join("\n")}\nSee .env.example.`);
  for (const [name, passwordName] of Object.entries(PASSWORD_OF)) {
    const address = withPassword(environment[name], environment[passwordName]);
    if (address) environment[name] = address;
  }
  for (const name of Object.values(PASSWORD_OF)) delete environment[name];
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    return "";
  }
}

function withPassword(address: string | undefined, password: string | undefined): string | undefined {
  if (!address || !password || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.password) return address;
  url.password = encodeURIComponent(password);
  return url.href;
}
