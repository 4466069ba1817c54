import { Section } from "@/components/ui/section";
import type { History, HistoryChange } from "@/lib/history/schema";
import { doneWords, whoWords } from "@/lib/history/words";

type Told = Omit<History["events"][number], "at"> & { moment: string };

/** The history of a record, newest first: each change with its fields, and both values if they may be shown. */
export function RecordHistory({ events, truncated }: { events: Told[]; truncated: boolean }) {
  return (
    <div className="stack">
      {events.length === 0 && <p className="text-muted">Nothing has been recorded yet.</p>}
      {events.map(({ id, moment, userName, action, changes }) => (
        <Section
          key={id}
          level={2}
          title={doneWords(action)}
          description={`${moment} · ${whoWords(userName)}`}
        >
          {changes.length > 0 && <Changes changes={changes} />}
        </Section>
      ))}
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
