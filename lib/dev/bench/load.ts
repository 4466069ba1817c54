import { execFileSync } from "node:child_process";
import autocannon from "autocannon";
import { toWire } from "@/lib/core/fields/wire";
import type { Place } from "@/lib/dev/bench/place";
import { inTimes, median, type Report } from "@/lib/dev/bench/report";
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
  const ours = (path: string): Load => ({ url: place.url + path, headers: { cookie: place.cookie } });
  const theirs = (path: string): Load => ({ url: place.bareUrl + path });
  const [form] = saves.ids;
  const figures: [name: string, least: number, product: Load, bare: Load][] = [
    ["me", 0.5, ours("/api/me"), theirs("/me/1")],
    ["forms list", 0.5, ours("/api/forms"), theirs("/forms")],
    ["clients list", 0.5, ours("/api/clients"), theirs("/clients")],
    ["users list", 0.4, ours("/api/users"), theirs("/users")],
    ["one form", 0.5, ours(`/api/forms/${form}`), theirs(`/form/${form}`)],
    ["save of a form", 0.25, saves.load(place.url, "/api/forms"), saves.load(place.bareUrl, "/form")],
  ];
  for (const [name, least, product, bare] of figures) {
    const rate = (load: Load) => rateOf({ ...load, duration: seconds });
    // The product has more to compile than the bare server.
    await rate(product);
    const [ours, limit]: [number[], number[]] = [[], []];
    // They take turns, so that other load on the machine affects both equally.
    for (let round = 0; round < rounds; round++) {
      ours.push(await rate(product));
      limit.push(await rate(bare));
    }
    const ratio = median(ours) / median(limit);
    const shown = `${inTimes(ratio)} (${median(ours).toFixed(0)} of ${median(limit).toFixed(0)}/s)`;
    report.add(name, ratio, shown, { least });
  }
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
  await rateOf({ ...(await savesOf(place)).load(place.url, "/api/forms"), amount: saves });
  addMemory(report, place, `after ${lists} lists and ${saves} saves`, 350);
}

function addMemory(report: Report, { process }: Place, name: string, most: number): void {
  const megabytes = Number(execFileSync("ps", ["-o", "rss=", "-p", String(process.child.pid)])) / 1024;
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
  const savedForms: Form[] = [];
  for (const { id } of rows) {
    const response = await fetch(`${url}/api/forms/${id}`, { headers: { cookie } });
    savedForms.push((await response.json()).form);
  }
  let count = 0;
  return {
    ids: rows.map(({ id }) => id),
    /** PUT requests to a server below `path`, each for a different form. */
    load: (server: string, path: string): Load => ({
      url: server,
      headers: { cookie, "content-type": "application/json" },
      requests: [
        {
          method: "PUT",
          setupRequest(request) {
            count += 1;
            const form = savedForms[count % savedForms.length];
            return { ...request, path: `${path}/${form?.id}`, ...(form && { body: bodyOf(form, count) }) };
          },
        },
      ],
    }),
  };
}

/** Omits the version, so that no save conflicts with another. */
function bodyOf({ lockVersion: _, ...form }: Form, count: number): string {
  const minutes = 5 + (count % 60);
  const serviceEntry = form.serviceEntry && {
    ...form.serviceEntry,
    otherService: `Letter ${count}`,
    serviceProvidedEntries: form.serviceEntry.serviceProvidedEntries.map((row) => ({ ...row, minutes })),
  };
  return JSON.stringify({ form: toWire(formSchema, { ...form, serviceEntry }) });
}
