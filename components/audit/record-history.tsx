import { inScreenOrder } from "@/components/forms/sections";
import type { ShownEvent } from "@/lib/audit/history";
import { doneWords, UNCHANGED, whoWords } from "@/lib/audit/words";
import { PHONE_PATH } from "@/lib/clients/masked";
import { READINGS } from "@/lib/core/api/audit-acts";
import { Changes } from "./changes";
import { OlderEvents } from "./older-events";
import { type ClientNumbers, NumberSentence, ShownNumbers } from "./shown-numbers";
import { HistoryViews } from "./views-switch";

/** Consecutive events that are shown as one line. */
type Run = { newest: ShownEvent; oldest: ShownEvent; times: number };

/** Combines consecutive views of one kind by one user into one line, so that they do not bury the changes. */
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

/** Saving a form also saves its client, even if the client has not changed. */
const headingOf = ({ action, changes }: ShownEvent): string =>
  action === "updated" && changes.length === 0 ? UNCHANGED : doneWords(action);

/** `11/22/26 04:43 PM – 04:44 PM` */
function spanWords({ newest: { moment: to }, oldest: { moment: from } }: Run): string {
  if (from === to) return to;
  const day = to.slice(0, to.indexOf(" ") + 1);
  return `${from} – ${from.startsWith(day) ? to.slice(day.length) : to}`;
}

/** The history of a record, newest first, in words. */
export function RecordHistory({
  events,
  truncated,
  mayShowViews,
  hasNumbers,
  numbers,
}: {
  events: ShownEvent[];
  truncated: boolean;
  mayShowViews: boolean;
  hasNumbers: boolean;
  /** For the history of a client. */
  numbers?: ClientNumbers;
}) {
  const shown = <Events events={events} truncated={truncated} />;
  return (
    <div className="stack">
      {mayShowViews && <HistoryViews />}
      {hasNumbers && numbers ? (
        // Another page or filter has other numbers, which were not requested.
        <ShownNumbers key={events.map(({ id }) => id).join()} {...numbers} field={PHONE_PATH}>
          {shown}
        </ShownNumbers>
      ) : (
        shown
      )}
    </div>
  );
}

function Events({ events, truncated }: { events: ShownEvent[]; truncated: boolean }) {
  return (
    <>
      {events.length === 0 && <p className="text-muted">No changes yet.</p>}
      {events.length > 0 && (
        <ol className="card divide-y divide-line">
          {runsOf(events).map((run) => (
            <li key={run.newest.id} className="flex flex-col gap-2 px-4 py-3 sm:px-5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 className="font-semibold">
                  {headingOf(run.newest)}
                  {run.times > 1 && ` ${run.times} times`}
                </h2>
                <p className="text-muted text-sm">{`${whoWords(run.newest.userName)} · ${spanWords(run)}`}</p>
              </div>
              {run.newest.changes.length > 0 && (
                <Changes
                  changes={inScreenOrder(run.newest.changes)}
                  number={({ text }) => <NumberSentence eventId={run.newest.id} masked={text} />}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {truncated && <OlderEvents before={events.at(-1)?.id ?? 0} />}
    </>
  );
}
