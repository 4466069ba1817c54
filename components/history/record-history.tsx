import { READINGS } from "@/lib/audit/acts";
import type { History, HistoryChange } from "@/lib/history/schema";
import { doneWords, whoWords } from "@/lib/history/words";

type ShownEvent = Omit<History["events"][number], "at"> & { moment: string };

/** Neighbouring events that are told as one. */
type Run = { newest: ShownEvent; oldest: ShownEvent; times: number };

/** Readings of one kind by one person in a row are one line, so that they do not bury the changes. */
function runsOf(events: readonly ShownEvent[]): Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const goesOn =
      READINGS.includes(event.action) &&
      last?.newest.action === event.action &&
      last.newest.userName === event.userName;
    if (goesOn) {
      last.oldest = event;
      last.times += 1;
    } else runs.push({ newest: event, oldest: event, times: 1 });
  }
  return runs;
}

/** `11/22/26 04:43 PM – 04:44 PM` */
function spanWords({ newest: { moment: to }, oldest: { moment: from } }: Run): string {
  if (from === to) return to;
  const day = to.slice(0, to.indexOf(" ") + 1);
  return `${from} – ${from.startsWith(day) ? to.slice(day.length) : to}`;
}

/** The history of a record, newest first: each change with its fields, and both values if they may be shown. */
export function RecordHistory({ events, truncated }: { events: ShownEvent[]; truncated: boolean }) {
  return (
    <div className="stack">
      {events.length === 0 && <p className="text-muted">Nothing has been recorded yet.</p>}
      {events.length > 0 && (
        <ol className="card divide-y divide-line">
          {runsOf(events).map((run) => (
            <li key={run.newest.id} className="flex flex-col gap-2 px-4 py-3 sm:px-5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 className="font-semibold">
                  {doneWords(run.newest.action)}
                  {run.times > 1 && ` ${run.times} times`}
                </h2>
                <p className="text-muted text-sm">{`${spanWords(run)} · ${whoWords(run.newest.userName)}`}</p>
              </div>
              {run.newest.changes.length > 0 && <Changes changes={run.newest.changes} />}
            </li>
          ))}
        </ol>
      )}
      {truncated && <p className="text-muted">Older events are in the Audit Log.</p>}
    </div>
  );
}

/** The changed fields. Values are left out if this user may not see them or their key was deleted. */
function Changes({ changes }: { changes: HistoryChange[] }) {
  return (
    <dl className="flex flex-col gap-2">
      {changes.map(({ field, label, fromText, toText }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row that went and one that came may have one path
        <div key={`${index} ${field}`} className="min-w-0">
          <dt className="text-muted text-sm">{label}</dt>
          {fromText !== null && toText !== null && (
            <dd className="whitespace-pre-wrap break-words">
              {fromText && <del>{fromText}</del>}
              {fromText && toText && " → "}
              {toText && <ins className="no-underline">{toText}</ins>}
              {!fromText && !toText && "Not told"}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
