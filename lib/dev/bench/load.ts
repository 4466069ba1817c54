import { spawnSync } from "node:child_process";
import autocannon from "autocannon";
import { toWire } from "@/lib/core/fields/wire";
import type { Place } from "@/lib/dev/bench/place";
import { type Goal, inTimes, mediansInTurns, type Report } from "@/lib/dev/bench/report";
import type { Form } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";

const CONNECTIONS = 16;
/** More forms than connections, so that no save waits for another save's row. */
const SAVED_FORMS = 96;

type Load = Pick<autocannon.Options, "url" | "duration" | "amount" | "requests" | "headers">;

/** Returns the responses per second over 16 connections. Throws if one is not a success. */
async function rateOf(load: Load): Promise<number> {
  const result = await autocannon({ ...load, connections: CONNECTIONS });
  if (result.non2xx + result.errors > 0) throw new Error(`${load.url}: ${result.non2xx} calls failed`);
  return result["2xx"] / result.duration;
}

/** Adds the product's calls per second, as a ratio to the bare server on the same data. */
export async function measureRates(report: Report, place: Place, rounds: number, seconds: number) {
  report.section(`Calls a second over ${CONNECTIONS} connections, to the bare server, medians of ${rounds}`);
  const saves = await savesOf(place);
  const compare = async (name: string, goal: Goal, ours: Partial<Load>, theirs: Partial<Load>) => {
    const product = {
      ...{ url: place.url, duration: seconds, headers: { cookie: place.cookie } },
      ...ours,
    };
    const bare = { url: place.bareUrl, duration: seconds, ...theirs };
    // The product has more to compile than the bare server.
    await rateOf(product);
    const [own = Number.NaN, limit = Number.NaN] = await mediansInTurns(rounds, [
      () => rateOf(product),
      () => rateOf(bare),
    ]);
    const shown = `${inTimes(own / limit)} (${own.toFixed(0)} of ${limit.toFixed(0)}/s)`;
    report.add(name, own / limit, shown, goal);
  };
  const measureRead = (name: string, path: string, barePath: string, least = 0.5) =>
    compare(name, { least }, { url: place.url + path }, { url: place.bareUrl + barePath });

  await measureRead("me", "/api/me", "/me/1");
  await measureRead("forms list", "/api/forms", "/forms");
  await measureRead("clients list", "/api/clients", "/clients");
  await measureRead("users list", "/api/users", "/users", 0.4);
  await measureRead("one form", `/api/forms/${saves.ids[0]}`, `/form/${saves.ids[0]}`);
  await compare("save of a form", { least: 0.28 }, saves.load("/api/forms"), saves.load("/form"));
}

/** Must be called before anything else is requested from the server. */
export function measureRest(report: Report, place: Place): void {
  report.section("Memory of the server's process");
  addMemory(report, place, "at rest", 250);
}

/** Reads lists and saves forms, then measures the memory again. */
export async function measureAfterLoad(report: Report, place: Place, lists: number, saves: number) {
  report.section("Memory of the server's process, loaded");
  await rateOf({ url: `${place.url}/api/forms`, headers: { cookie: place.cookie }, amount: lists });
  await rateOf({ url: place.url, amount: saves, ...(await savesOf(place)).load("/api/forms") });
  addMemory(report, place, `after ${lists} lists and ${saves} saves`, 350);
}

function addMemory(report: Report, { process }: Place, name: string, most: number): void {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(process.child.pid)], { encoding: "utf8" });
  const megabytes = Number(stdout) / 1024;
  report.add(name, megabytes, `${megabytes.toFixed(0)} MB`, { most });
}

/** Returns saves of legal advocacy forms, the type with the most entries. Each save changes a text and all minutes. */
export async function savesOf({ query, url, cookie, forms }: Place) {
  const rows = await query<{ id: number }>(
    `SELECT f.id FROM forms f JOIN intake_forms i ON i.form_id = f.id
       JOIN legal_advocacy_entries l ON l.intake_form_id = i.id
     WHERE f.id <= $1 AND NOT f.reconciled AND f.service_status = 'Served' ORDER BY f.id DESC LIMIT $2`,
    [forms, SAVED_FORMS],
  );
  if (rows.length < CONNECTIONS) throw new Error(`${forms} forms are too few to measure saves with`);
  const savedForms: Form[] = [];
  for (const { id } of rows) {
    const response = await fetch(`${url}/api/forms/${id}`, { headers: { cookie } });
    savedForms.push((await response.json()).form);
  }
  let count = 0;
  const setupRequest = (path: string) => (request: autocannon.Request) => {
    count += 1;
    const form = savedForms[count % savedForms.length];
    return { ...request, path: `${path}/${form?.id}`, ...(form && { body: bodyOf(form, count) }) };
  };
  return {
    ids: rows.map(({ id }) => id),
    /** PUT requests of `path`, each for another form. */
    load: (path: string): Pick<Load, "requests" | "headers"> => ({
      headers: { cookie, "content-type": "application/json" },
      requests: [{ method: "PUT", setupRequest: setupRequest(path) }],
    }),
  };
}

/** Omits the version, so that no save conflicts with another. */
function bodyOf({ lockVersion: _, ...form }: Form, count: number): string {
  const serviceEntry = form.serviceEntry && {
    ...form.serviceEntry,
    otherService: `Letter ${count}`,
    serviceProvidedEntries: form.serviceEntry.serviceProvidedEntries.map((row) => ({
      ...row,
      minutes: 5 + (count % 60),
    })),
  };
  return JSON.stringify({ form: toWire(formSchema, { ...form, serviceEntry }) });
}
