import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/core/process/env";
import { readSecretFiles } from "@/lib/core/process/secret-files";

const AUTH_SECRET = "0123456789".repeat(4);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lanternbook-secrets-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function secretFile(name: string, content: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

function resolved(environment: Record<string, string>): Record<string, string | undefined> {
  const copy = { ...environment };
  readSecretFiles(copy);
  return copy;
}

describe("a secret in a file", () => {
  it("replaces the variable, without the line break at the end of the file", async () => {
    const file = await secretFile("auth", `${AUTH_SECRET}\n`);
    const environment = resolved({ AUTH_SECRET_FILE: file, AUTH_SECRET: "", PORT: "3001" });
    expect(environment).toEqual({ AUTH_SECRET, PORT: "3001" });
    expect(parseEnv(environment).AUTH_SECRET).toBe(AUTH_SECRET);
  });

  it("is refused when the variable is set too, or the file is missing or empty, and no message quotes a secret", async () => {
    const environment = {
      AUTH_SECRET,
      AUTH_SECRET_FILE: await secretFile("second", AUTH_SECRET),
      ADMIN_PASSWORD_FILE: path.join(folder, "missing"),
      SMTP_URL_FILE: await secretFile("empty", "\n"),
    };
    let message = "";
    try {
      resolved(environment);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("AUTH_SECRET_FILE: must not be set together with AUTH_SECRET");
    expect(message).toContain("ADMIN_PASSWORD_FILE: must name a readable file that is not empty");
    expect(message).toContain("SMTP_URL_FILE: must name a readable file");
    expect(message).not.toContain(AUTH_SECRET);
  });

  it("leaves BACKUP_KEY_FILE alone, which is a setting of its own", () => {
    expect(resolved({ BACKUP_KEY_FILE: "/keys/backup" })).toEqual({ BACKUP_KEY_FILE: "/keys/backup" });
  });

  it("completes the database addresses that have no password, whatever characters it has", async () => {
    const password = "p@ss/w:rd?%";
    const environment = resolved({
      DATABASE_URL: "postgresql://program@db:5432/lanternbook",
      DATABASE_REPLICA_URL: "postgresql://program:own@replica/lanternbook",
      DATABASE_OWNER_URL: "postgresql://owner@db/lanternbook?sslmode=verify-full",
      DATABASE_PASSWORD_FILE: await secretFile("program", password),
      DATABASE_OWNER_PASSWORD: "owner's",
    });
    const passwordIn = (name: string) => decodeURIComponent(new URL(environment[name] ?? "").password);
    expect(passwordIn("DATABASE_URL")).toBe(password);
    expect(passwordIn("DATABASE_REPLICA_URL")).toBe("own");
    expect(passwordIn("DATABASE_OWNER_URL")).toBe("owner's");
    expect(Object.keys(environment)).toEqual(["DATABASE_URL", "DATABASE_REPLICA_URL", "DATABASE_OWNER_URL"]);
  });
});
