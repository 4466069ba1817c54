import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlainError } from "@/lib/core/process/plain-error";
import { queryAt } from "@/lib/dev/query";
import { runCommand } from "@/lib/ops/command";
import { prepareDatabase } from "@/lib/ops/prepare";
import { takeErrors } from "@/tests/setup/console";

// The start and the commands name the variable of a blank or wrong password, and change nothing.

const superuser = new URL(String(process.env.DATABASE_URL));
const suffix = superuser.pathname.slice(-12);
const OWNER = `owner_${suffix}`;
const PROGRAM = `program_${suffix}`;

const as = (role: string, password: string): string => {
  const url = new URL(superuser);
  Object.assign(url, { username: role, password });
  return url.href;
};
const find = (text: string) => queryAt(superuser.href, text);
const roles = async () =>
  (await find("SELECT rolname FROM pg_roles WHERE rolname LIKE '%new%'")).map(({ rolname }) => rolname);

beforeAll(async () => {
  await find(`CREATE ROLE ${OWNER} SUPERUSER LOGIN PASSWORD 'of the owner'`);
  await prepareDatabase(
    as(PROGRAM, "of the program"),
    { DATABASE_OWNER_URL: as(OWNER, "of the owner") },
    false,
  );
});
afterAll(async () => {
  for (const role of [PROGRAM, OWNER]) {
    await find(`REASSIGN OWNED BY ${role} TO ${superuser.username}`);
    await find(`DROP OWNED BY ${role}`);
    await find(`DROP ROLE ${role}`);
  }
});

const connects = async (url: string) => {
  const client = new pg.Client(url);
  await client.connect().finally(() => client.end());
};

describe("a start with a password that is", () => {
  test.each([
    [
      "blank for the owner",
      OWNER,
      "",
      /of the database role owner_\w+ is .*requires a password.*DATABASE_OWNER_PASSWORD.*POSTGRES_PASSWORD/,
    ],
    [
      "wrong for the owner",
      OWNER,
      "wrong",
      /of the database role owner_\w+ is .*refuses it.*DATABASE_OWNER_PASSWORD.*POSTGRES_PASSWORD/,
    ],
    [
      "set for an owner that does not exist",
      "nobody",
      "some",
      /of the database role nobody .*DATABASE_OWNER_PASSWORD/,
    ],
  ])("%s names its variable, without the password", async (_, role, password, message) => {
    const start = prepareDatabase(as(PROGRAM, "another"), { DATABASE_OWNER_URL: as(role, password) }, false);
    const error = await start.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlainError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain("another");
    await connects(as(PROGRAM, "of the program"));
  });

  test("wrong without a role for the owner names DATABASE_PASSWORD", async () => {
    await expect(prepareDatabase(as(PROGRAM, "wrong"), {}, false)).rejects.toThrow(
      /of the database role program_\w+ .*DATABASE_PASSWORD.*PROGRAM_PASSWORD.*PRACTICE_SECRET/,
    );
  });

  test("blank for the program names its variable, and the running program can still connect", async () => {
    const start = prepareDatabase(as(PROGRAM, ""), { DATABASE_OWNER_URL: as(OWNER, "of the owner") }, false);
    await expect(start).rejects.toThrow(
      /of the database role program_\w+ .*DATABASE_PASSWORD.*PROGRAM_PASSWORD/,
    );
    await connects(as(PROGRAM, "of the program"));
  });

  test("blank for a new role of the program creates no role", async () => {
    const start = prepareDatabase(
      as("new_program", ""),
      { DATABASE_OWNER_URL: as(OWNER, "of the owner") },
      false,
    );
    await expect(start).rejects.toThrow(
      /of the database role new_program .*a new role needs one.*PROGRAM_PASSWORD/,
    );
    expect(await roles()).toEqual([]);
  });

  test("not in the URL, for a role that connects without it, keeps the role's password", async () => {
    process.env.PGPASSWORD = "of the program";
    try {
      await prepareDatabase(as(PROGRAM, ""), { DATABASE_OWNER_URL: as(OWNER, "of the owner") }, false);
    } finally {
      delete process.env.PGPASSWORD;
    }
    await connects(as(PROGRAM, "of the program"));
  });

  test("changed for the program is set by the owner", async () => {
    const owner = { DATABASE_OWNER_URL: as(OWNER, "of the owner") };
    await prepareDatabase(as(PROGRAM, "changed"), owner, false);
    await connects(as(PROGRAM, "changed"));
    await expect(connects(as(PROGRAM, "of the program"))).rejects.toMatchObject({ code: "28P01" });
    await prepareDatabase(as(PROGRAM, "of the program"), owner, false);
  });
});

test.each([
  ["DATABASE_OWNER_URL", OWNER, "wrong", "Check DATABASE_OWNER_PASSWORD,"],
  ["DATABASE_OWNER_URL", OWNER, "", "Check DATABASE_OWNER_PASSWORD,"],
  ["DATABASE_URL", PROGRAM, "wrong", "Check DATABASE_PASSWORD,"],
])("a command with a refused password in %s names its variable", async (name, role, password, message) => {
  process.env.DATABASE_URL = as(PROGRAM, "of the program");
  process.env.DATABASE_OWNER_URL = as(OWNER, "of the owner");
  process.env[name] = as(role, password);
  await runCommand(() => connects(String(process.env[name])));
  expect(takeErrors()).toEqual([expect.stringContaining(message)]);
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
  process.env.DATABASE_URL = superuser.href;
  delete process.env.DATABASE_OWNER_URL;
});
