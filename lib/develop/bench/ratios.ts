import { BARS, type Bar, type Report, times } from "@/lib/develop/bench/figures";
import { type Calls, inTurns, median, rateOf } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { type Saves, savesOf } from "@/lib/develop/bench/saves";

// Calls a second over 16 connections: the product against the bare server, in turns on the same records.

interface Pair {
  name: string;
  product: Calls;
  /** None where the bare server has no such call. */
  bare?: Calls;
  bar?: Bar;
}

const get = (path: string): Calls => {
  const call = { method: "GET", path } as const;
  return () => call;
};

export async function measureRatios(report: Report, place: Place, rounds: number, seconds: number) {
  report.section(`A second, 16 connections, ${place.forms} forms: product to bare, medians of ${rounds}`);
  for (const { name, product, bare, bar } of pairs(await savesOf(place))) {
    const tasks = [
      () => rateOf(place.product, product, { seconds }),
      ...(bare ? [() => rateOf(place.bare, bare, { seconds })] : []),
    ];
    // The product has more to compile than the bare server.
    await rateOf(place.product, product, { seconds: 1.5 * seconds });
    const [ours = [], limits = []] = await inTurns(rounds, tasks);
    const rate = median(ours);
    if (!bare) {
      report.add(name, rate, `${rate.toFixed(0)}/s`);
      continue;
    }
    const ratio = median(ours.map((own, round) => own / (limits[round] ?? Number.NaN)));
    report.add(name, ratio, `${times(ratio)} (${rate.toFixed(0)} of ${median(limits).toFixed(0)}/s)`, bar);
  }
}

function pairs(saves: Saves): Pair[] {
  return [
    { name: "me", product: get("/api/me"), bare: get(`/me/${saves.userId}`), bar: BARS.meToBare },
    { name: "forms list", product: get("/api/forms"), bare: get("/forms"), bar: BARS.listToBare },
    { name: "clients list", product: get("/api/clients"), bare: get("/clients"), bar: BARS.listToBare },
    { name: "users list", product: get("/api/users"), bare: get("/users"), bar: BARS.listToBare },
    {
      name: "form read",
      product: (n, place) => ({ method: "GET", path: `/api/forms/${saves.id(n, place)}` }),
      bare: (n, place) => ({ method: "GET", path: `/form/${saves.id(n, place)}` }),
      bar: BARS.readToBare,
    },
    {
      name: "full save (PUT)",
      product: (n, place) => ({
        method: "PUT",
        path: `/api/forms/${saves.id(n, place)}`,
        body: saves.changed(n, place),
      }),
      bare: (n, place) => ({
        method: "PUT",
        path: `/form/${saves.id(n, place)}`,
        body: saves.changed(n, place),
      }),
      bar: BARS.saveToBare,
    },
    {
      name: "new form (POST)",
      product: (n, place) => ({
        method: "POST",
        path: "/api/forms",
        body: saves.fresh(n, place),
        headers: { "idempotency-key": saves.key() },
      }),
      bare: (n, place) => ({ method: "POST", path: `/form/${saves.userId}`, body: saves.fresh(n, place) }),
      bar: BARS.saveToBare,
    },
    {
      name: "save that changes nothing (PUT)",
      product: (n, place) => ({
        method: "PUT",
        path: `/api/forms/${saves.id(n, place)}`,
        body: saves.unchanged(n, place),
      }),
    },
    { name: "page /forms", product: get("/forms") },
    {
      name: "page /forms/{id}/edit",
      product: (n, place) => ({ method: "GET", path: `/forms/${saves.id(n, place)}/edit` }),
    },
  ];
}
