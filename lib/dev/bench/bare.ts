import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";
import { STATEMENTS } from "@/lib/dev/bench/bare-sql";

// The reference that the product is measured against: the same data over the same protocol with `node:http` and `pg`
// alone. Each response is one named statement whose JSON PostgreSQL builds. It records each act in the audit trail as the
// product does, since that costs about as much as the reading. No sessions and no rules.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
pool.on("error", () => {});

async function run(name: keyof typeof STATEMENTS, values: unknown[]): Promise<string> {
  const { rows } = await pool.query({ name, text: STATEMENTS[name], values });
  return rows[0]?.body ?? "null";
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

async function answer(request: IncomingMessage): Promise<string> {
  const [, what, id] = new URL(`http://host${request.url}`).pathname.split("/");
  const requestId = randomUUID();
  switch (`${request.method} ${what}`) {
    case "GET me":
      return run("me", [id]);
    case "GET forms":
      return run("formsList", [25, 0, requestId]);
    case "GET clients":
      return run("clientsList", [25, 0, requestId]);
    case "GET users":
      return run("usersList", [25, 0, requestId]);
    case "GET form":
      return run("viewForm", [id, requestId]);
    case "PUT form":
      await run("updateForm", [id, await bodyOf(request), requestId, ...CHANGES]);
      return run("readForm", [id]);
    default:
      throw new Error("There is no such call");
  }
}

/** The names of the fields that a save changes, and bytes for their values. */
const CHANGES = [
  Array.from({ length: 5 }, (_, n) => `form.serviceEntry.serviceProvidedEntries.${n}.minutes`),
  randomBytes(400),
];

const server = createServer((request, response) => {
  answer(request).then(
    (text) => {
      const bytes = Buffer.from(text);
      response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
      response.end(bytes);
    },
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
process.on("SIGTERM", () => process.exit());
