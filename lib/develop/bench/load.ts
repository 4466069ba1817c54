import { type Answer, type Call, Connection, type Target } from "@/lib/develop/bench/connection";

export const CONNECTIONS = 16;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The response; throws if its status is not a success. */
export async function ask(connection: Connection, call: Call): Promise<Answer> {
  const answer = await connection.send(call);
  if (answer.status >= 300) {
    throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text().slice(0, 300)}`);
  }
  return answer;
}

/** One call and its JSON, over a connection of its own. */
// biome-ignore lint/suspicious/noExplicitAny: a measurement reads whatever came
export async function askJson(target: Target, call: Call): Promise<any> {
  const connection = new Connection(target);
  try {
    return JSON.parse((await ask(connection, call)).text());
  } finally {
    connection.close();
  }
}

/** Makes the nth call of connection `place`. */
export type Calls = (n: number, place: number) => Call;

interface Amount {
  seconds?: number;
  /** Of all connections together. */
  calls?: number;
  connections?: number;
}

/** Calls per second that `target` answers, over 16 connections unless told, for the given time or number of calls. */
export async function rateOf(
  target: Target,
  calls: Calls,
  { seconds, calls: most, connections = CONNECTIONS }: Amount,
): Promise<number> {
  const start = performance.now();
  const end = start + (seconds ?? Number.POSITIVE_INFINITY) * 1000;
  let begun = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, place) => {
      const connection = new Connection(target);
      try {
        for (let n = 0; performance.now() < end && (most === undefined || begun < most); n++) {
          begun += 1;
          await ask(connection, calls(n, place));
          done += 1;
        }
      } finally {
        connection.close();
      }
    }),
  );
  return done / ((performance.now() - start) / 1000);
}

/** Runs `rounds` of each task alternately, so that other load on the machine affects all alike. */
export async function inTurns<T>(rounds: number, tasks: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const results: T[][] = tasks.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) results[index]?.push(await task());
  }
  return results;
}
