"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, SelectOptions } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { Labeled } from "@/components/ui/plain-inputs";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { NamedItem } from "@/lib/core/access/permissions";
import { ApiError, call, isCode, messagesOf } from "@/lib/core/api/client";
import { whole } from "@/lib/core/fields/format";
import {
  BEGINNING,
  findUnmapped,
  KINDS,
  KINDS_BY_FORM_TYPE,
  kindsIn,
  type Mapping,
  type MappingKind,
  NO_LINE,
} from "@/lib/reports/mapping";
import { MONTHS, type Period, periodName } from "@/lib/reports/periods";
import type { Change, SetupResponse } from "@/lib/reports/setup/schema";
import { MappingRow } from "./mapping-row";

type Props = {
  setup: SetupResponse;
  formTypes: NamedItem[];
  /** The quarter used to try out changes. */
  quarter: Period;
  today: string;
  /** True if the user may try changes, which shows numbers of all records. */
  tries: boolean;
  /** The kind of values whose list is shown first. */
  asked?: string | string[];
};

const HINTS: Partial<Record<MappingKind, string>> = {
  form_type: "Map a form type to Hotline only if its forms are calls received.",
  shelter: "Nights in a shelter count only on days on which it is mapped to Shelter.",
  fvpsa_service: "Funders' definitions count nearly every service to one person as individual advocacy.",
};

const YEAR_STARTS = MONTHS.map((label, at) => ({ value: at + 1, label }));

const DUE_DAYS = "Due, in days after the quarter";

/** Edits a report's mappings (value, line, dates) and shows what a change would affect. */
export function SetupForm({ setup, formTypes, quarter, today, tries, asked }: Props) {
  const router = useRouter();
  const notify = useNotify();
  const [yearStart, setYearStart] = useState(setup.yearStart);
  const [dueDays, setDueDays] = useState(String(setup.dueDays));
  const [lockVersion, setLockVersion] = useState(setup.lockVersion);
  const [mappings, setMappings] = useState<Mapping[]>(setup.mappings);
  const kinds = kindsIn(setup.report);
  const [kind, setKind] = useState<MappingKind>(
    () => kinds.find((name) => name === asked) ?? kinds[0] ?? "service_code",
  );
  const [changes, setChanges] = useState<Change[] | null>(null);
  const [errors, setErrors] = useState<{ messages: string[]; fields: Record<string, string> } | null>(null);
  /** The submissions and closed months that a change would touch, in words; null while it does not wait for an answer. */
  const [touched, setTouched] = useState<string[] | null>(null);
  const [busy, setBusy] = useState<"try" | "save" | null>(null);
  const values = { yearStart, dueDays, mappings };
  const text = JSON.stringify(values);
  const [savedText, setSavedText] = useState(text);

  const missing = findUnmapped(setup.sources, mappings, today);
  const replace = (at: number, next: Mapping | null) => {
    setChanges(null);
    setMappings((all) => all.flatMap((mapping, place) => (place === at ? (next ?? []) : mapping)));
  };
  const add = (source: string) => {
    setChanges(null);
    setMappings((all) => [
      ...all,
      { kind, source, formTypeId: null, line: NO_LINE, validFrom: BEGINNING, validThrough: null },
    ]);
  };

  async function send(what: "try" | "save", confirmed?: true) {
    setTouched(null);
    if (!/^\d+$/.test(dueDays.trim())) {
      setErrors({ messages: [`${DUE_DAYS} must be a whole number`], fields: {} });
      return;
    }
    setBusy(what);
    setErrors(null);
    const sent = { ...values, dueDays: Number(dueDays), lockVersion, confirmed };
    const [params, body] = [{ key: setup.report }, { setup: sent }];
    try {
      if (what === "try") {
        const tried = await call("POST /api/reports/{key}/setup/try", { params, query: quarter, body });
        setChanges(tried.changes);
      } else {
        const saved = await call("PUT /api/reports/{key}/setup", { params, body });
        setLockVersion(saved.setup.lockVersion);
        setSavedText(text);
        notify.success("Updated mappings successfully");
        router.refresh();
      }
    } catch (error) {
      if (isCode(error, "conflict_in_use")) setTouched(messagesOf(error));
      else setErrors({ messages: messagesOf(error), fields: error instanceof ApiError ? error.fields : {} });
    } finally {
      setBusy(null);
    }
  }

  return (
    <div className="stack">
      <UnsavedGuard unsaved={text !== savedText} />
      <Section title="Not mapped yet">
        {missing.length === 0 ? (
          <p>All values of all lists are mapped as of today.</p>
        ) : (
          <ul className="list-disc pl-5">
            {missing.map((source) => (
              <li key={source.kind + source.source}>
                {KINDS[source.kind].label}: {source.label}
                {source.partly && ", for all other form types"}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section
        title="Mappings"
        description="A value counts on its line from the first day through the last day, or indefinitely if there is no last day. To change what counts from now on, give the current row a last day and add another row. Earlier forms keep their line."
      >
        <div className="flex flex-wrap gap-4">
          <Labeled label="List">
            <select
              className="control"
              value={kind}
              onChange={({ target }) => setKind(kinds.find((name) => name === target.value) ?? kind)}
            >
              <SelectOptions
                options={kinds.map((value) => ({ value, label: KINDS[value].label }))}
                placeholder={null}
              />
            </select>
          </Labeled>
          <Labeled label="Count people as new again each year starting in">
            <select
              className="control"
              value={yearStart}
              onChange={({ target }) => {
                setChanges(null);
                setYearStart(Number(target.value));
              }}
            >
              <SelectOptions options={YEAR_STARTS} placeholder={null} />
            </select>
          </Labeled>
          <Labeled label={DUE_DAYS}>
            <input
              className="control"
              type="text"
              inputMode="numeric"
              autoComplete="off"
              value={dueDays}
              onChange={({ target }) => setDueDays(target.value)}
            />
          </Labeled>
        </div>
        {setup.report === "pccd" && (
          <p>PCCD's pages contradict each other about the start of the year. Ask PCCD.</p>
        )}
        {HINTS[kind] && <p>{HINTS[kind]}</p>}
        <ul className="divide-y divide-line">
          {setup.sources
            .filter((source) => source.kind === kind)
            .map(({ source, label }) => (
              <li key={source} className="py-3">
                <div className="flex items-center justify-between gap-2">
                  <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
                  <Button size="sm" className="flex-none" onClick={() => add(source)}>
                    Add a row<span className="sr-only"> for {label}</span>
                  </Button>
                </div>
                {mappings.map((mapping, at) =>
                  mapping.kind === kind && mapping.source === source ? (
                    <MappingRow
                      // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
                      key={at}
                      report={setup.report}
                      label={label}
                      mapping={mapping}
                      formTypes={KINDS_BY_FORM_TYPE.includes(kind) ? formTypes : null}
                      problem={Object.entries(errors?.fields ?? {})
                        .filter(([path]) => path.startsWith(`setup.mappings.${at}.`))
                        .map(([, message]) => message)
                        .join("; ")}
                      onChange={(next) => replace(at, next)}
                    />
                  ) : null,
                )}
              </li>
            ))}
        </ul>
      </Section>
      <ErrorAlert messages={errors?.messages} />
      <Tried changes={changes} quarter={quarter} />
      <Dialog
        open={touched !== null}
        onClose={() => setTouched(null)}
        title="Change reported or closed periods?"
        description={touched?.join(" ")}
        footer={
          <>
            <Button onClick={() => setTouched(null)}>Close</Button>
            <Button variant="danger" onClick={() => send("save", true)}>
              Change anyway
            </Button>
          </>
        }
      >
        <p>
          Submissions keep their numbers. With All Forms, you can compare them with today's, except those that
          were counted by older rules.{" "}
          {yearStart === setup.yearStart
            ? "To change only what counts from now on, give the current row a last day, and the new row a first day."
            : "The start of the year counts in all periods, also in earlier ones."}
        </p>
      </Dialog>
      <div className="form-actions">
        {tries && (
          <Button busy={busy === "try"} onClick={() => send("try")}>
            Try on {periodName(quarter)}
          </Button>
        )}
        <Button variant="primary" busy={busy === "save"} onClick={() => send("save")}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** Shows the numbers of the quarter that would change; renders nothing before a trial. */
function Tried({ changes, quarter }: { changes: Change[] | null; quarter: Period }) {
  return (
    <div role="status">
      {changes?.length === 0 && <p>No numbers for {periodName(quarter)} would change.</p>}
      {changes && changes.length > 0 && (
        <table className="data-table report-table" aria-label="Numbers that would change">
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ key, section, label, before, after }) => (
              <tr key={key}>
                <td>
                  {section}: {label}
                </td>
                <td className="number">{whole(before)}</td>
                <td className="number">{whole(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
