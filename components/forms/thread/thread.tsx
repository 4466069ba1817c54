"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { lazy, Suspense, useEffect, useId, useRef, useState, useTransition } from "react";
import { RecordTrail } from "@/components/audit/record-trail";
import { SessionLink } from "@/components/forms/session-link";
import { namedOptions } from "@/components/record/named-options";
import { ErrorAlert } from "@/components/ui/alert";
import { StatusBadge } from "@/components/ui/badge";
import { Button, LinkButton, Select } from "@/components/ui/controls";
import { ChevronIcon, PencilIcon, PrintIcon } from "@/components/ui/icons";
import { PageProgress } from "@/components/ui/link";
import { useFailure } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { readableQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { counted } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import type { ThreadQuery } from "@/lib/forms/by-client/schema";
import { FORM_LABELS, reconciledBadge } from "@/lib/forms/words";
import type { FormLists } from "@/lib/lookups/schema";

const Loading = () => <p role="status">Loading…</p>;
const EntryReading = lazy(() => import("@/components/forms/thread/entry-reading"));

/** A line of the thread; a colleague's form, which cannot be opened, has no id. */
type Entry = {
  id: number | null;
  parts: string[];
  /** "" for the reader's own form. */
  advocate: string;
  reconciled: boolean;
  /** True if the form cannot be changed. */
  frozen: boolean;
};
type Month = { month: string; title: string; totals: string; entries: Entry[] };

/** The filters, the months with their entries, and a button for older entries. */
export function Thread({
  months,
  olderCount,
  step,
  query,
  types,
  years,
  lists,
  from,
}: {
  months: Month[];
  olderCount: number;
  /** The number of older entries that a request adds. */
  step: number;
  query: ThreadQuery;
  types: NamedItem[];
  years: number[];
  lists: FormLists;
  from: string;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [loading, startLoading] = useTransition();
  const list = useRef<HTMLDivElement>(null);
  const count = months.reduce((sum, { entries }) => sum + entries.length, 0);
  /** The number of entries when older ones were requested; the first of those then gets the focus. */
  const countBefore = useRef<number | null>(null);

  useEffect(() => {
    if (countBefore.current === null || count <= countBefore.current) return;
    list.current?.querySelectorAll<HTMLElement>("li[tabindex]")[countBefore.current]?.focus();
    countBefore.current = null;
  }, [count]);

  function show(change: Record<string, string>) {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries({ shown: "", ...change }))
      if (value) next.set(name, value);
      else next.delete(name);
    startLoading(() => router.push(`${pathname}?${readableQuery(next)}`, { scroll: false }));
  }

  return (
    <>
      {loading && <PageProgress />}
      <div className="print-hidden flex flex-wrap gap-3 empty:hidden">
        {(types.length > 1 || query.type !== null) && (
          <Select
            label={FORM_LABELS.formType}
            placeholder="-- All --"
            options={namedOptions(types)}
            value={query.type ?? ""}
            onChange={(type) => show({ type })}
          />
        )}
        {(years.length > 1 || query.year !== null) && (
          <Select
            label="Year"
            placeholder="-- All --"
            options={years.map((year) => ({ value: year, label: String(year) }))}
            value={query.year ?? ""}
            onChange={(year) => show({ year })}
          />
        )}
      </div>
      {count === 0 && <p className="text-muted">{years.length > 0 ? "No results." : "No forms yet."}</p>}
      <div ref={list} className="stack empty:hidden">
        {months.map(({ month, title, totals, entries }) => (
          <section key={month} className="break-inside-avoid">
            <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
              <h3 className="font-semibold">{title}</h3>
              <p className="text-muted text-sm">{totals}</p>
            </div>
            <ol aria-label={`Forms in ${title}`} className="divide-y divide-line border-line border-t">
              {entries.map((entry, index) => (
                <li key={entry.id ?? `colleague-${index}`} tabIndex={-1} className="py-1">
                  {entry.id === null ? (
                    <p className="py-2">
                      {entry.parts.join(" · ")} <span className="text-muted">· a colleague’s form</span>
                    </p>
                  ) : (
                    <OpenableEntry id={entry.id} {...{ entry, lists, from }} />
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      {olderCount > 0 && (
        <div className="print-hidden">
          <Button
            busy={loading}
            onClick={() => {
              countBefore.current = count;
              show({ shown: String(count + step) });
            }}
          >
            {`Show ${Math.min(olderCount, step)} of ${counted(olderCount, "older form")}`}
          </Button>
        </div>
      )}
    </>
  );
}

/** A form's line, which opens in place to the form's reading view. */
function OpenableEntry({
  id,
  entry: { parts, advocate, reconciled, frozen },
  lists,
  from,
}: {
  id: number;
  entry: Entry;
  lists: FormLists;
  from: string;
}) {
  const viewId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [form, setForm] = useState<Form | null>(null);
  const { messages, run } = useFailure();
  const [day, formType, ...rest] = parts;

  function toggle() {
    setIsOpen(!isOpen);
    if (isOpen || form) return;
    void run(async () => setForm((await call("GET /api/forms/{id}", { params: { id } })).form));
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? viewId : undefined}
          className="flex min-h-control min-w-0 flex-1 basis-64 items-start gap-2 rounded-md py-2 text-left hover:bg-subtle"
          onClick={toggle}
        >
          <span className="print-hidden text-accent">
            <ChevronIcon direction={isOpen ? "down" : "right"} />
          </span>
          <span
            className={`min-w-0 wrap-anywhere ${isOpen ? "" : "max-sm:line-clamp-6 print:line-clamp-none"}`}
          >
            <span className="font-semibold">{[day, formType].join(" · ")}</span>
            {rest.map((part) => ` · ${part}`).join("")}
          </span>
        </button>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:pb-2 max-sm:pl-6.5">
          {advocate && <span className="text-muted text-sm">{advocate}</span>}
          <StatusBadge badge={reconciledBadge(reconciled)} />
        </div>
      </div>
      {isOpen && (
        <div id={viewId} className="mb-3 ml-2 border-accent border-l-2 pl-4">
          <ErrorAlert messages={messages} />
          {!form && !messages && <Loading />}
          {form && (
            <>
              <div className="print-hidden flex flex-wrap gap-2">
                <LinkButton href={to("formsView", { id }) + from}>
                  {form.comments.length > 0 ? `Open (${counted(form.comments.length, "comment")})` : "Open"}
                </LinkButton>
                {!frozen && (
                  <LinkButton href={to("formsEdit", { id }) + from} icon={<PencilIcon />}>
                    Edit
                  </LinkButton>
                )}
                <LinkButton href={`${to("formsView", { id })}${from}&print=true`} icon={<PrintIcon />}>
                  Print
                </LinkButton>
                {form.groupSession && <SessionLink {...form.groupSession} />}
                <RecordTrail kind="form" id={id} from={from} />
              </div>
              <Suspense fallback={<Loading />}>
                <EntryReading form={form} lists={lists} />
              </Suspense>
            </>
          )}
        </div>
      )}
    </>
  );
}
