import { type Call, Connection } from "@/lib/develop/bench/connection";
import { ms, type Report } from "@/lib/develop/bench/figures";
import { ask, median } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { savesOf } from "@/lib/develop/bench/saves";
import { type Cost, withStatementLog } from "@/lib/develop/bench/statement-log";

const TIMES = 7;

/** The number of statements of each call and their cost, from PostgreSQL's log. */
export async function measureStatements(report: Report, place: Place): Promise<void> {
  report.section("Statements a call, besides BEGIN, COMMIT and the like");
  const saves = await savesOf(place);
  const get = (path: string) => (): Call => ({ method: "GET", path });
  const form = `/api/forms/${saves.id(0, 0)}`;
  const calls: Record<string, () => Call> = {
    me: get("/api/me"),
    "forms list": get("/api/forms"),
    "clients list": get("/api/clients"),
    "users list": get("/api/users"),
    "form read": get(form),
    "full save (PUT)": () => ({ method: "PUT", path: form, body: saves.changed(0, 0) }),
    "save that changes nothing (PUT)": () => ({ method: "PUT", path: form, body: saves.unchanged(0, 0) }),
    "new form (POST)": () => ({
      method: "POST",
      path: "/api/forms",
      body: saves.fresh(0, 0),
      headers: { "idempotency-key": saves.key() },
    }),
    "similar names": () => ({ method: "POST", path: "/api/clients/similar", body: { name: "Maria Smith" } }),
    "page /forms": get("/forms"),
    "page /forms/{id}/edit": get(`/forms/${saves.id(0, 0)}/edit`),
  };
  const connection = new Connection(place.product);
  await withStatementLog(place, async (costOf) => {
    for (const [name, call] of Object.entries(calls)) {
      const costs: Cost[] = [];
      for (let n = 0; n < TIMES; n++) costs.push(await costOf(() => ask(connection, call())));
      const count = median(costs.map(({ statements }) => statements.length));
      const control = median(costs.map((cost) => cost.control));
      const spent = median(costs.map(({ milliseconds }) => milliseconds));
      const more = control ? ` + ${control}` : "";
      report.add(name, count, `${count}${more} (${ms(spent)} in PostgreSQL)`);
    }
  });
  connection.close();
}
