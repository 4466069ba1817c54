"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { FileSetup, type Step } from "@/components/transfer/imports/file-setup";
import { Problems } from "@/components/transfer/imports/problems";
import { useMapping } from "@/components/transfer/imports/use-mapping";
import { COUNT_WORDS, rowsWords, STATUS_WORDS } from "@/components/transfer/imports/words";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { DownloadLink } from "@/components/ui/download-link";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { ApiError, call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { counted, whole } from "@/lib/core/text/format";
import { decided, labelParts } from "@/lib/transfer/imports/mapping";
import type { Import, ImportNote } from "@/lib/transfer/imports/schema";
import { kindPage, kindTitle, WORKING } from "@/lib/transfer/imports/words";

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

/** Returns a function that calls the server, and shows the import as it is now if another window was first. */
function useReload({ id }: Import, setItem: (item: Import) => void) {
  const router = useRouter();
  const [reloads, setReloads] = useState(0);
  const reloading = async (send: () => Promise<{ import: Import }>): Promise<Import> => {
    try {
      const { import: next } = await send();
      setItem(next);
      return next;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        setItem((await call("GET /api/imports/{id}", { params: { id } })).import);
        setReloads((count) => count + 1);
        router.refresh();
      }
      throw error;
    }
  };
  return { reloading, reloads };
}
type Reloading = ReturnType<typeof useReload>["reloading"];

/** Returns the state of an import's columns and values, and functions that start the import or its check, or choose its headings. */
function useStart(item: Import, reloading: Reloading) {
  const router = useRouter();
  const state = useMapping(item);
  const attempt = useFailure();
  const params = { id: item.id };
  const start = (
    dryRun: boolean,
    { matches, mapping, ownerId, headingRow }: Pick<Import, "matches" | "mapping" | "ownerId" | "headingRow">,
  ) =>
    attempt.run(async () => {
      const body = { import: { dryRun, matches, ownerId, mapping, headingRow } };
      await reloading(() => call("POST /api/imports/{id}/start", { params, body }));
    });
  const chooseHeadings = (headingRow: number) => {
    // Some browsers report a choice for each arrow key, and each one reads the file.
    if (attempt.busy) return;
    void attempt.run(async () => {
      const body = { import: { headingRow } };
      state.restart(await reloading(() => call("PUT /api/imports/{id}/headings", { params, body })));
      // The list below shows the number of rows.
      router.refresh();
    });
  };
  return { state, start, chooseHeadings, starting: attempt.busy, startMessages: attempt.messages };
}

/** Shows one import: match its columns and values, check, start, cancel or undo it. */
export function ImportView({ first, owners }: { first: Import; owners: NamedItem[] }) {
  const { item, setItem, working } = useImport(first);
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState<{ step: Step; at: string | null } | null>(null);
  const { reloading, reloads } = useReload(first, setItem);
  const { state, start, chooseHeadings, starting, startMessages } = useStart(item, reloading);
  const problemsTitle = useRef<HTMLSpanElement>(null);
  const isChecked = item.status === "checked";
  const hasProblems = isChecked && item.problems.length > 0;
  const wasChecking = useRef(false);
  useEffect(() => {
    if (hasProblems && wasChecking.current) {
      problemsTitle.current?.scrollIntoView({ block: "start" });
      problemsTitle.current?.focus({ preventScroll: true });
    }
    wasChecking.current = item.status === "checking";
  }, [hasProblems, item.status]);
  const { messages, busy, run } = useFailure();
  const params = { id: item.id };
  const matching = item.status === "waiting" || isChecked;
  const checkAgain = () => {
    setEditing(null);
    void start(true, state);
  };
  // An undo counts records: several rows may have created one record.
  const [total, unit] = item.status === "undoing" ? [item.created, "records"] : [item.rows, "rows"];
  const undoable =
    ["done", "cancelled", "failed", "undone"].includes(item.status) && item.created > item.removed;

  const act = (send: () => Promise<{ import: Import }>) =>
    run(async () => {
      await reloading(send);
    });
  const cancel = () => act(() => call("POST /api/imports/{id}/cancel", { params }));
  const undo = () => {
    setAsking(false);
    return act(() => call("POST /api/imports/{id}/undo", { params }));
  };

  const showsProblems = hasProblems && !editing;
  const showsSetup = item.status === "waiting" || (isChecked && editing !== null);
  const { href, title } = kindPage(item.kind);
  const actions = (
    <div className="flex flex-wrap justify-end gap-3 empty:hidden">
      {(item.status === "checking" || item.status === "running" || matching) && (
        <Button busy={busy} onClick={() => void cancel()}>
          {matching ? "Delete the file" : "Cancel"}
        </Button>
      )}
      {item.refusedRows && item.failed > 0 && !working && (
        <DownloadLink href={`/api/imports/${item.id}/failed.csv`}>Download rejected rows (CSV)</DownloadLink>
      )}
      {undoable && (
        <Button busy={busy} onClick={() => setAsking(true)}>
          Undo the import
        </Button>
      )}
      {isChecked && !editing && (
        <>
          <Button onClick={() => setEditing({ step: "columns", at: null })}>Change columns or values</Button>
          <Button
            variant="primary"
            busy={starting}
            disabled={item.created === 0}
            onClick={() => void start(false, item)}
          >
            Import {item.created < item.rows ? triedWords(item) : counted(item.rows, "row")}
          </Button>
        </>
      )}
      {item.status === "done" && item.created > item.removed && (
        <LinkButton variant="primary" href={href}>
          {title}
        </LinkButton>
      )}
    </div>
  );

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
        <ErrorAlert messages={messages ?? (showsSetup ? null : startMessages)} />
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
        {!showsProblems && actions}
      </Section>
      {showsSetup && (
        <FileSetup
          // After a reload it begins with the columns.
          key={`${editing?.step} ${editing?.at} ${reloads}`}
          item={item}
          owners={owners}
          state={state}
          first={editing?.step ?? "columns"}
          at={editing?.at ?? null}
          busy={starting}
          messages={startMessages}
          onHeadings={chooseHeadings}
          onCheck={checkAgain}
        />
      )}
      {showsProblems && (
        <Problems
          item={item}
          busy={starting}
          title={problemsTitle}
          actions={actions}
          onValues={(at) => setEditing({ step: "values", at })}
          onBlank={(key) => {
            state.decide(key, { blankRefused: true });
            void start(true, { ...item, mapping: decided(item.mapping, key, { blankRefused: true }) });
          }}
        />
      )}
      {item.blanks.length > 0 && <Blanks {...item} />}
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

/** Returns the words for what an import would create after a check. Several rows may be of one form. */
const triedWords = ({ kind, created, rows }: Import): string =>
  kind === "forms" ? counted(created, "form") : `${whole(created)} of ${counted(rows, "row")}`;

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

/** The values of imported rows that were left blank, with their number and first rows. */
function Blanks({ blanks, status }: Pick<Import, "blanks" | "status">) {
  return (
    <Section
      title={status === "checked" ? "Will be left blank" : "Left blank"}
      description="These cells have a value in the file, and none in the records."
    >
      <ul className="divide-y divide-line border-line border-y">
        {blanks.map(({ label, text, count, rows }) => (
          <li key={`${label} ${text}`} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2">
            <span className="min-w-0 wrap-anywhere">
              {labelParts(label).short}: {text === "" ? "other values" : `“${text}”`}
            </span>
            <span className="text-muted text-sm">{rowsWords(count, rows)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

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
              {about === "kept" ? "Record" : "Row"} {number}
              {about !== "similar" && ":"}
            </span>{" "}
            <span className="whitespace-pre-line">{problem}</span>
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
