import { readFile } from "node:fs/promises";
import { PAGES } from "@/lib/core/pages";
import type { Place } from "@/lib/dev/bench/place";
import { inMs, median, type Report } from "@/lib/dev/bench/report";
import { addCustomFields, WORD, type Writer, writeLargest } from "@/lib/dev/data/largest";
import { addressesOf, type EveryRead } from "@/lib/dev/every-read";
import { endpoints } from "@/lib/endpoints";

/** Processor time in milliseconds that one read may take from everybody else. */
const ONE_READ = { most: 500 };
/** Milliseconds that a call of another user may wait while the read is answered. */
const ONE_WAIT = { most: 500 };
/** Only reads above this are listed one by one. */
const LISTED_MS = 100;
/** The ids before the record exists. */
const NOTHING: EveryRead = {
  clientIds: [],
  formIds: [],
  contactIds: [],
  stayIds: [],
  groupIds: [],
  sessionOf: {},
  recordIds: {},
  userId: 0,
  submissionId: 0,
};
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Measures the processor time of the server's process for one read of each endpoint and page, with the largest record
 * that the limits allow. Of a list or file of all records, what the other records cost with the same custom fields is
 * subtracted.
 */
export async function measureLargest(report: Report, place: Place, rounds: number): Promise<void> {
  report.section(`Processor time of single reads of the largest record, medians of ${rounds}`);
  const targets = [...endpoints.filter(({ method }) => method === "GET"), ...Object.values(PAGES)];
  const writer: Writer = {
    async send(method, path, body) {
      const headers = { cookie: place.cookie, "content-type": "application/json" };
      const response = await fetch(place.url + path, { method, headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.status === 204 ? null : response.json();
    },
    query: place.query,
  };
  await addCustomFields(writer);
  const before = new Map<string, number>();
  for (const target of targets.filter(({ path }) => !path.includes("{")))
    for (const address of addressesOf(target, NOTHING, WORD))
      before.set(address, await processorTimeOf(place, address, rounds));
  const reads = await writeLargest(writer);
  const addresses = new Set(targets.flatMap((target) => [...addressesOf(target, reads, WORD)]));
  const others: number[] = [];
  const listed: string[] = [];
  for (const address of addresses) {
    const time = (await processorTimeOf(place, address, rounds)) - (before.get(address) ?? 0);
    if (time <= LISTED_MS) others.push(time);
    else {
      listed.push(address);
      report.add(address, time, inMs(time), ONE_READ);
    }
  }
  report.add(`the most of ${others.length} others`, Math.max(...others), inMs(Math.max(...others)), ONE_READ);

  report.section(`Longest wait of other calls during these reads, medians of ${rounds}`);
  for (const address of listed) {
    const waits: number[] = [];
    for (let round = 0; round < rounds; round++) waits.push(await longestWaitDuring(place, address));
    report.add(address, median(waits), inMs(median(waits)), ONE_WAIT);
  }
}

/** Returns the most milliseconds that one of the calls waits that are sent one after the other during a read. */
async function longestWaitDuring(place: Place, address: string): Promise<number> {
  let isOver = false;
  const reading = read(place, address).finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const since = performance.now();
    await read(place, "/api/me");
    longest = Math.max(longest, performance.now() - since);
  }
  await reading;
  return longest;
}

/** Reads an address to its end. Throws if the server fails. */
async function read(place: Place, address: string): Promise<void> {
  const headers = { cookie: place.cookie };
  const response = await fetch(place.url + address, { headers, redirect: "manual" });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${address} failed with ${response.status}`);
}

/** Returns the median processor time in milliseconds, after a first read that does not count. */
async function processorTimeOf(place: Place, address: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = await processorTime(place);
    await read(place, address);
    if (round > 0) times.push((await processorTime(place)) - before);
  }
  return median(times);
}

/** Returns the milliseconds of processor time that the server's process has used. */
async function processorTime({ process }: Place): Promise<number> {
  const stat = await readFile(`/proc/${process.child.pid}/stat`, "utf8");
  // After the name in parentheses, the 12th and 13th fields are the times in user and kernel mode.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
