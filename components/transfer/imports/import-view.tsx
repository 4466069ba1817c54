"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ColumnMatches } from "@/components/transfer/imports/column-matches";
import { COUNT_WORDS, STATUS_WORDS } from "@/components/transfer/imports/words";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { DownloadLink } from "@/components/ui/download-link";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { counted, whole } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import type { Import, ImportNote } from "@/lib/transfer/imports/schema";
import { kindTitle, WORKING } from "@/lib/transfer/imports/words";

const POLL_MS = 1_000;

/** Returns the current state of the import. Polls while it is in progress. */
function useImport(first: Import) {
  const router = useRouter();
  const [item, setItem] = useState(first);
  const working = WORKING.includes(item.status);
  useEffect(() => {
    if (!working) return;
    const stop = new AbortController();
    const look = async () => {
      // A poll may fail, for example while the server restarts. The next one follows.
      const response = await call("GET /api/imports/{id}", {
        params: { id: item.id },
        signal: stop.signal,
      }).catch(() => null);
      if (stop.signal.aborted || !response) return;
      setItem(response.import);
      if (!WORKING.includes(response.import.status)) router.refresh();
    };
    const timer = setInterval(() => void look(), POLL_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [item.id, working, router]);
  return { item, setItem, working };
}

/** Shows one import: match its columns, try, start, cancel or undo it. */
export function ImportView({ first, owners }: { first: Import; owners: NamedItem[] }) {
  const { item, setItem, working } = useImport(first);
  const [asking, setAsking] = useState(false);
  const { messages, busy, run } = useFailure();
  const params = { id: item.id };
  const matching = item.status === "waiting" || item.status === "checked";
  // An undo counts records: several rows may have created one record.
  const [total, unit] = item.status === "undoing" ? [item.created, "records"] : [item.rows, "rows"];
  const undoable =
    ["done", "cancelled", "failed", "undone"].includes(item.status) && item.created > item.removed;

  const cancel = () =>
    run(async () => setItem((await call("POST /api/imports/{id}/cancel", { params })).import));
  const undo = () => {
    setAsking(false);
    return run(async () => setItem((await call("POST /api/imports/{id}/undo", { params })).import));
  };

  return (
    <>
      <Section
        title={`${kindTitle(item.kind)}: ${STATUS_WORDS[item.status].toLowerCase()}`}
        actions={
          <LinkButton href={to("imports")} size="sm">
            Import another file
          </LinkButton>
        }
      >
        <ErrorAlert messages={messages} />
        {item.fileName && <p className="wrap-anywhere text-muted">{item.fileName}</p>}
        {item.problem && <p className="text-danger">{item.problem}</p>}
        {working && (
          <label className="block">
            <span aria-live="polite">
              {item.done} of {total} {unit}
            </span>
            <progress className="block h-2 w-full" value={item.done} max={total} />
          </label>
        )}
        {item.status !== "waiting" && <Counts item={item} />}
        <div className="flex flex-wrap gap-3">
          {(item.status === "checking" || item.status === "running" || matching) && (
            <Button busy={busy} onClick={() => void cancel()}>
              {matching ? "Delete the file" : "Cancel"}
            </Button>
          )}
          {item.refusedRows && item.failed > 0 && !working && (
            <DownloadLink href={`/api/imports/${item.id}/failed.csv`}>
              Download rejected rows (CSV)
            </DownloadLink>
          )}
          {undoable && (
            <Button variant="danger" busy={busy} onClick={() => setAsking(true)}>
              Undo the import
            </Button>
          )}
        </div>
      </Section>
      {matching && <ColumnMatches item={item} owners={owners} onStarted={setItem} />}
      <Notes {...item} />
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Undo the import?"
        description={`This removes ${counted(item.created - item.removed, "imported record")}. Records that were changed or used since, or are under a legal hold, are kept and listed.`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="danger" onClick={() => void undo()}>
              Undo
            </Button>
          </>
        }
      />
    </>
  );
}

function Counts({ item }: { item: Import }) {
  const isTrial = item.status === "checked" || item.status === "checking";
  const listed = COUNT_WORDS.filter(([key]) => key === "created" || item[key] > 0);
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {listed.map(([key, label]) => (
        <div key={key}>
          <dt className="text-muted text-sm">{isTrial && key === "created" ? "Would be imported" : label}</dt>
          <dd className="font-semibold text-lg">{item[key]}</dd>
        </div>
      ))}
    </dl>
  );
}

const NOTE_WORDS: Record<ImportNote["about"], string> = {
  failed: "Rejected rows",
  duplicate: "Repeated in the file: imported once",
  similar: "Similar names: each row becomes a separate client",
  kept: "Records not removed",
};

/** The first notes of each kind. */
function Notes({ notes, noteCounts }: Pick<Import, "notes" | "noteCounts">) {
  const abouts = [...new Set(notes.map(({ about }) => about))];
  const listed = abouts.map((about) => ({ about, shown: notes.filter((note) => note.about === about) }));
  return listed.map(({ about, shown }) => (
    <Section key={about} title={NOTE_WORDS[about]}>
      {noteCounts[about] > shown.length && (
        <p>{`The first ${whole(shown.length)} of ${whole(noteCounts[about])}`}</p>
      )}
      <ul className="stack">
        {shown.map(({ number, problem, clients }) => (
          <li key={number} className="wrap-anywhere">
            <span className="font-medium">
              {about === "kept" ? "Record" : "Row"} {number}:
            </span>{" "}
            {problem}
            {clients.map(({ id, name }) => (
              <Link key={id} href={to("clientsShow", { id })} className="mr-3">
                {name}
              </Link>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  ));
}
