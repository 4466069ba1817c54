import { readFile } from "node:fs/promises";
import { PAGES } from "@/lib/core/pages";
import type { Place } from "@/lib/dev/bench/place";
import { inMs, median, type Report } from "@/lib/dev/bench/report";
import { addCustomFields, WORD, type Writer, writeLargest } from "@/lib/dev/data/largest";
import { addressesOf, type EveryRead } from "@/lib/dev/every-read";
import { endpoints } from "@/lib/endpoints";

/** Processor time in milliseconds that one read may take on the main thread, which answers everybody else too. */
const ONE_READ = { most: 500 };
/** Milliseconds that a call of another user may wait while the read is answered. */
const ONE_WAIT = { most: 500 };
/** Milliseconds of a save that changes all forms of the largest session. Nobody else can save its clients meanwhile. */
const ONE_SESSION = { most: 2_000 };
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
const NS_IN_MS = 1_000_000;
/** Reads of an address before those that count: the first ones compile its code. */
const WARM_UP = 2;

/**
 * Measures the processor time of the server's main thread for one read of each endpoint and page, with the largest record
 * that the limits allow. All other clients and forms are removed first, because the cost of a list or file of all records
 * varies by more than the cost of one. What such a list costs without the record is subtracted.
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
  await place.query("TRUNCATE clients, forms CASCADE");
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

  report.section(`Save of the largest session of a group, median of ${rounds}`);
  const [groupId = 0] = reads.groupIds;
  const session = `/api/groups/${groupId}/sessions/${reads.sessionOf[groupId]}`;
  const times: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const since = performance.now();
    await writer.send("PUT", session, { groupSession: { minutes: round } });
    times.push(performance.now() - since);
  }
  report.add("other minutes for everyone", median(times), inMs(median(times)), ONE_SESSION);
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

/** Returns the median processor time in milliseconds, after reads that do not count. */
async function processorTimeOf(place: Place, address: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const before = await processorTime(place);
    await read(place, address);
    if (round >= 0) times.push((await processorTime(place)) - before);
  }
  return median(times);
}

/**
 * Returns the milliseconds of processor time that the main thread of the server has used. Other threads collect garbage,
 * compile and compress; nobody waits for them.
 */
async function processorTime({ process }: Place): Promise<number> {
  const { pid } = process.child;
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8")).split(" ");
  return Number(nanoseconds) / NS_IN_MS;
}
