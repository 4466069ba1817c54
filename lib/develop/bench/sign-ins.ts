import { type Answer, type Call, Connection, type Target } from "@/lib/develop/bench/connection";
import { BARS, ms, type Report, times } from "@/lib/develop/bench/figures";
import { inTurns, median, quantile } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { generatedUser } from "@/lib/develop/data/fill";
import { DEMO } from "@/lib/operate/demo";

const IN_FLIGHT = 50;
const USERS = 40;
/** The sign-ins of a colleague while an address tries invented emails. */
const COLLEAGUES = 20;

/** `strangers`: how many invented emails are tried at once. */
type Amounts = { seconds: number; rounds: number; strangers: number };

/** Each attempt comes from an address of its own, so that the rate limit of sign-ins never counts two together. */
const from = (n: number) => ({ "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` });

const WRONG = "Wrong-Password-1";

const signIn = (email: string, password: string, n: number): Call => ({
  method: "POST",
  path: "/api/login",
  body: { email, password },
  headers: from(n),
});

let attempts = 1;

async function answerOf(target: Target, email: string, password: string, n: number): Promise<Answer> {
  const connection = new Connection({ port: target.port });
  try {
    return await connection.send(signIn(email, password, n));
  } finally {
    connection.close();
  }
}

async function timeOf(target: Target, email: string, password: string, status: number): Promise<number> {
  attempts += 1;
  const answer = await answerOf(target, email, password, attempts);
  if (answer.status !== status) throw new Error(`A sign-in was answered ${answer.status}: ${answer.text()}`);
  return answer.milliseconds;
}

/**
 * The effect of sign-ins on other requests and of an attack on sign-ins, and whether timing distinguishes an unknown email
 * from a wrong password.
 */
export async function measureSignIns(report: Report, place: Place, amounts: Amounts) {
  report.section("Sign-in");
  const { rounds, strangers } = amounts;
  await loadOthers(report, place, amounts);
  await loadColleague(report, place, strangers);
  const [unknown = [], known = []] = await inTurns(8 * rounds, [
    () => timeOf(place.product, `nobody${attempts}@example.org`, WRONG, 401),
    () => timeOf(place.product, generatedUser(5 + (attempts % USERS)), WRONG, 401),
  ]);
  const [a, b] = [median(unknown), median(known)];
  const ratio = Math.max(a, b) / Math.min(a, b);
  report.add(
    "unknown email to wrong password, or back",
    ratio,
    `${times(ratio)} (${ms(a)}, ${ms(b)})`,
    BARS.unknownToWrong,
  );
}

async function loadOthers(report: Report, { product }: Place, { seconds, rounds }: Amounts): Promise<void> {
  const connection = new Connection(product);
  /** The p99 of a list that is read repeatedly. */
  const quiet = async (): Promise<number> => {
    const spent: number[] = [];
    for (const end = Date.now() + seconds * 1000; Date.now() < end || spent.length < 300; ) {
      const { status, milliseconds } = await connection.send({ method: "GET", path: "/api/clients" });
      if (status !== 200) throw new Error(`A list was answered ${status}`);
      spent.push(milliseconds);
    }
    return quantile(spent, 0.99);
  };
  const rates: number[] = [];
  let refused = 0;
  /** The same while, from the first to the last, as many sign in: each that is done makes room for the next. */
  const loaded = async (): Promise<number> => {
    let measuring = true;
    const start = performance.now();
    const people = Array.from({ length: IN_FLIGHT }, async (_, place) => {
      let count = 0;
      for (let n = 0; measuring; n++) {
        const email = generatedUser(5 + ((place + n) % USERS));
        // On a busy machine some wait longer than the server allows.
        await timeOf(product, email, DEMO.password, 200).then(
          () => count++,
          () => refused++,
        );
      }
      return count;
    });
    const spent = await quiet();
    measuring = false;
    const signedIn = (await Promise.all(people)).reduce((sum, count) => sum + count, 0);
    rates.push(signedIn / ((performance.now() - start) / 1000));
    return spent;
  };
  await quiet();
  const [calm = [], busy = []] = await inTurns(rounds, [quiet, loaded]);
  connection.close();
  const ratio = median(busy.map((spent, round) => spent / (calm[round] ?? Number.NaN)));
  const shown = `${times(ratio)} (${ms(median(busy))} to ${ms(median(calm))}; ${median(rates).toFixed(1)} sign-ins/s, ${refused} refused)`;
  report.add(`others' p99 with ${IN_FLIGHT} sign-ins in flight`, ratio, shown, BARS.signInsToQuiet);
}

/** The slowest sign-in of a colleague while an address tries invented emails, all at once; one refused is an error. */
async function loadColleague(report: Report, { product }: Place, strangers: number): Promise<void> {
  const colleague = () => timeOf(product, generatedUser(5), DEMO.password, 200);
  const quiet: number[] = [];
  while (quiet.length < COLLEAGUES) quiet.push(await colleague());
  const busy: number[] = [];
  for (let attack = 0; busy.length < COLLEAGUES; attack++) {
    let inFlight = strangers;
    const tried = Array.from({ length: strangers }, async (_, n) => {
      await answerOf(product, `stranger${n}@example.org`, WRONG, 0xff_00_00 + attack);
      inFlight -= 1;
    });
    while (inFlight > 0 && busy.length < COLLEAGUES) busy.push(await colleague());
    await Promise.all(tried);
  }
  const [calm, slowest] = [median(quiet), Math.max(...busy)];
  const shown = `${times(slowest / calm)} (${ms(slowest)} to ${ms(calm)})`;
  const name = `slowest of ${COLLEAGUES} sign-ins with ${strangers} strange ones in flight`;
  report.add(name, slowest / calm, shown, BARS.attackedToQuiet);
}
