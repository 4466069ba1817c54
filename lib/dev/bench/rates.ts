import autocannon from "autocannon";
import type { Place } from "@/lib/dev/bench/place";
import { type Goal, inTimes, mediansInTurns, type Report } from "@/lib/dev/bench/report";

export const CONNECTIONS = 16;
/** More forms than connections, so that no save waits for another one's row. */
const SAVED_FORMS = 96;

type Load = Pick<autocannon.Options, "url" | "duration" | "amount" | "requests" | "headers">;

/** Answers a second over 16 connections. Throws if one is not a success. */
export async function rateOf(load: Load): Promise<number> {
  const result = await autocannon({ ...load, connections: CONNECTIONS });
  if (result.non2xx + result.errors > 0) throw new Error(`${load.url}: ${result.non2xx} answers failed`);
  return result["2xx"] / result.duration;
}

/** How many calls a second the product answers, as a ratio to the bare server on the same data. */
export async function measureRates(report: Report, place: Place, rounds: number, seconds: number) {
  report.section(`Calls a second over ${CONNECTIONS} connections, to the bare server, medians of ${rounds}`);
  const saves = await savesOf(place);
  const [id] = saves.ids;
  const compare = async (name: string, goal: Goal, ours: Partial<Load>, theirs: Partial<Load>) => {
    const product = { url: place.url, headers: { cookie: place.cookie }, ...ours };
    const bare = { url: place.bareUrl, ...theirs };
    // The product has more to compile than the bare server.
    await rateOf({ ...product, duration: seconds });
    const [own = Number.NaN, limit = Number.NaN] = await mediansInTurns(rounds, [
      () => rateOf({ ...product, duration: seconds }),
      () => rateOf({ ...bare, duration: seconds }),
    ]);
    report.add(
      name,
      own / limit,
      `${inTimes(own / limit)} (${own.toFixed(0)} of ${limit.toFixed(0)}/s)`,
      goal,
    );
  };
  const read = (name: string, path: string, barePath: string, least = 0.5) =>
    compare(name, { least }, { url: place.url + path }, { url: place.bareUrl + barePath });

  await read("me", "/api/me", "/me/1");
  await read("forms list", "/api/forms", "/forms");
  await read("clients list", "/api/clients", "/clients");
  await read("users list", "/api/users", "/users", 0.4);
  await read("one form", `/api/forms/${id}`, `/form/${id}`);
  await compare("save of a form", { least: 0.28 }, saves.load("/api/forms"), saves.load("/form"));
}

interface Form {
  serviceEntryAttributes: { serviceProvidedEntriesAttributes: object[] };
}

/** Saves of legal advocacy forms, the type with the most entries. Each save changes a text and all minutes. */
export async function savesOf({ database, url, cookie, forms }: Place) {
  const { rows } = await database.query<{ id: number }>(
    `SELECT f.id FROM forms f JOIN intake_forms i ON i.form_id = f.id
       JOIN legal_advocacy_entries l ON l.intake_form_id = i.id
     WHERE f.id <= $1 AND NOT f.reconciled AND f.service_status = 'Served' ORDER BY f.id DESC LIMIT $2`,
    [forms, SAVED_FORMS],
  );
  if (rows.length < CONNECTIONS) throw new Error(`${forms} forms are too few to measure saves with`);
  const bodies: Form[] = [];
  for (const { id } of rows) {
    const answer = await fetch(`${url}/api/forms/${id}`, { headers: { cookie } });
    const { form } = JSON.parse(await answer.text(), (_, value) => withAttributes(value));
    bodies.push({ ...form, lockVersion: undefined });
  }
  let made = 0;
  const setupRequest = (path: string) => (request: autocannon.Request) => {
    made += 1;
    const n = made % rows.length;
    const form = bodies[n];
    const body = form && JSON.stringify({ form: changed(form, made) });
    return { ...request, path: `${path}/${rows[n]?.id}`, ...(body && { body }) };
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

function changed(form: Form, n: number): Form {
  const services = form.serviceEntryAttributes;
  const provided = services.serviceProvidedEntriesAttributes;
  const entry = {
    ...services,
    otherService: `Letter ${n}`,
    serviceProvidedEntriesAttributes: provided.map((row) => ({ ...row, minutes: 5 + (n % 60) })),
  };
  return { ...form, serviceEntryAttributes: entry };
}

const NESTED = /(Entry|Entries|^intakeForm)$/;

/** An object of a form as it is read, with its nested parts under `…Attributes`, where a save expects them. */
function withAttributes(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const renamed = ([key, inner]: [string, unknown]): [string, unknown] =>
    NESTED.test(key) && typeof inner !== "boolean" ? [`${key}Attributes`, inner] : [key, inner];
  return Object.fromEntries(Object.entries(value).map(renamed));
}
