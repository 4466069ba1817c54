import type { History, HistoryChange } from "@/lib/history/schema";
import { doneWords, whoWords } from "@/lib/history/words";

type Told = Omit<History["events"][number], "at"> & { moment: string };

/** The history of a record, newest first: each change with its fields, and both values if they may be shown. */
export function RecordHistory({ events, truncated }: { events: Told[]; truncated: boolean }) {
  return (
    <div className="stack">
      {events.length === 0 && <p className="text-muted">Nothing has been recorded yet.</p>}
      {events.length > 0 && (
        <ol className="card divide-y divide-line">
          {events.map(({ id, moment, userName, action, changes }) => (
            <li key={id} className="flex flex-col gap-2 px-4 py-3 sm:px-5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 className="font-semibold">{doneWords(action)}</h2>
                <p className="text-muted text-sm">{`${moment} · ${whoWords(userName)}`}</p>
              </div>
              {changes.length > 0 && <Changes changes={changes} />}
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
