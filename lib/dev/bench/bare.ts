import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import pg from "pg";
import { STATEMENTS } from "@/lib/dev/bench/bare-sql";

// The reference for the product's speed: the same data over the same protocol with only `node:http` and `pg`. Each
// response is one named statement whose JSON PostgreSQL builds. It writes the audit trail as the product does, since
// that costs about as much as the reading. It has no sessions and no rules.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
pool.on("error", () => {});

async function run(name: keyof typeof STATEMENTS, ...values: unknown[]): Promise<string> {
  const { rows } = await pool.query({ name, text: STATEMENTS[name], values });
  return rows[0]?.body ?? "null";
}

/** The names of the fields that a save changes, and bytes for their values. */
const CHANGES = [
  Array.from({ length: 5 }, (_, n) => `form.serviceEntry.serviceProvidedEntries.${n}.minutes`),
  randomBytes(400),
];

async function answer(call: string, id = "", body = ""): Promise<string> {
  if (call === "GET me") return run("me", id);
  if (call === "GET form") return run("viewForm", id, randomUUID());
  if (call === "GET forms" || call === "GET clients" || call === "GET users")
    return run(call, 25, 0, randomUUID());
  await run("updateForm", id, body, randomUUID(), ...CHANGES);
  return run("readForm", id);
}

const server = createServer(async (request, response) => {
  const [, resource, id] = String(request.url).split("/");
  const bytes = Buffer.from(await answer(`${request.method} ${resource}`, id, await text(request)));
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
  response.end(bytes);
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("Ready: "));
process.on("SIGTERM", () => process.exit());
