"use client";

import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, SelectOptions } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { Labeled } from "@/components/ui/plain-inputs";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { NamedItem } from "@/lib/core/access/permissions";
import { EARLIEST_DAY, MONTHS, whole } from "@/lib/core/fields/format";
import { NO_LINE } from "@/lib/lookups/report-lines";
import { findUnmapped, KINDS, KINDS_BY_FORM_TYPE, kindsIn, type MappingKind } from "@/lib/reports/mapping";
import { type Period, periodName } from "@/lib/reports/periods";
import type { Change, SetupResponse, Source } from "@/lib/reports/setup/schema";
import { MappingRow } from "./mapping-row";
import { DUE_DAYS, useSetup } from "./use-setup";

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
  form_type: "Map a form type to Hotline only if its forms record calls received.",
  shelter: "Nights in a shelter count only on days on which it is mapped to Shelter.",
  fvpsa_service: "Funders' definitions count nearly every service to one person as individual advocacy.",
};

/** Edits a report's mappings (value, line, dates) and shows what a change would affect. */
export function SetupForm({ setup, formTypes, quarter, today, tries, asked }: Props) {
  const kinds = kindsIn(setup.report);
  const [kind, setKind] = useState<MappingKind>(
    () => kinds.find((name) => name === asked) ?? kinds[0] ?? "service_code",
  );
  const edited = useSetup(setup, quarter);
  return (
    <div className="stack">
      <UnsavedGuard unsaved={edited.isUnsaved} />
      <NotMapped missing={findUnmapped(setup.sources, edited.mappings, today)} />
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
          <SettingsOfReport {...edited} />
        </div>
        {setup.report === "pccd" && (
          <p>PCCD's pages contradict each other about the start of the year. Ask PCCD.</p>
        )}
        {HINTS[kind] && <p>{HINTS[kind]}</p>}
        <Rows {...{ setup, kind, formTypes, edited }} />
      </Section>
      <ErrorAlert messages={edited.refusal?.messages} />
      <Tried changes={edited.changes} quarter={quarter} />
      <ConfirmTouched
        touched={edited.touched}
        movesYear={edited.settings.yearStart !== setup.yearStart}
        onClose={edited.cancel}
        onConfirm={edited.confirm}
      />
      <div className="form-actions">
        {tries && (
          <Button busy={edited.busy === "try"} onClick={edited.tryIt}>
            Try on {periodName(quarter)}
          </Button>
        )}
        <Button variant="primary" busy={edited.busy === "save"} onClick={edited.save}>
          Save
        </Button>
      </div>
    </div>
  );
}

type Edited = ReturnType<typeof useSetup>;

/** Lists the values that no mapping covers today. */
const NotMapped = ({ missing }: { missing: ReturnType<typeof findUnmapped> }) => (
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
);

const YEAR_STARTS = MONTHS.map((label, at) => ({ value: at + 1, label }));

/** The fields of the whole report: when its year starts, and when it is due. */
const SettingsOfReport = ({ settings, change }: Pick<Edited, "settings" | "change">) => (
  <>
    <Labeled label="Count people as new again each year starting in">
      <select
        className="control"
        value={settings.yearStart}
        onChange={({ target }) => change({ yearStart: Number(target.value) })}
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
        value={settings.dueDays}
        onChange={({ target }) => change({ dueDays: target.value })}
      />
    </Labeled>
  </>
);

/** Lists the values of a kind, each with the rows that map it. */
const Rows = ({
  setup: { report, sources },
  kind,
  formTypes,
  edited: { mappings, add, replace, problemAt },
}: Pick<Props, "setup" | "formTypes"> & { kind: MappingKind; edited: Edited }) => (
  <ul className="divide-y divide-line">
    {sources
      .filter((source) => source.kind === kind)
      .map(({ source, label }) => (
        <li key={source} className="py-3">
          <div className="flex items-center justify-between gap-2">
            <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
            <Button size="sm" className="flex-none" onClick={() => add(newRow({ kind, source }))}>
              Add a row<span className="sr-only"> for {label}</span>
            </Button>
          </div>
          {mappings.map((mapping, at) =>
            mapping.kind === kind && mapping.source === source ? (
              <MappingRow
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
                key={at}
                {...{ report, label, mapping }}
                formTypes={KINDS_BY_FORM_TYPE.includes(kind) ? formTypes : null}
                problem={problemAt(at)}
                onChange={(next) => replace(at, next)}
              />
            ) : null,
          )}
        </li>
      ))}
  </ul>
);

const newRow = (value: Pick<Source, "kind" | "source">) => ({
  ...value,
  formTypeId: null,
  line: NO_LINE,
  validFrom: EARLIEST_DAY,
  validThrough: null,
});

/** Asks before a change of days that were reported or closed. */
const ConfirmTouched = ({
  touched,
  movesYear,
  onClose,
  onConfirm,
}: {
  /** The submissions and months in words; null while the dialog is closed. */
  touched: string[] | null;
  /** True if the start of the year changes, too. */
  movesYear: boolean;
  onClose: () => void;
  onConfirm: () => void;
}) => (
  <Dialog
    open={touched !== null}
    onClose={onClose}
    title="Change reported or closed periods?"
    description={touched?.join(" ")}
    footer={
      <>
        <Button onClick={onClose}>Close</Button>
        <Button variant="danger" onClick={onConfirm}>
          Change anyway
        </Button>
      </>
    }
  >
    <p>
      Submissions keep their numbers. With All Forms, you can compare them with today's, except those that
      were counted by older rules.{" "}
      {movesYear
        ? "The start of the year counts in all periods, also in earlier ones."
        : "To change only what counts from now on, give the current row a last day, and the new row a first day."}
    </p>
  </Dialog>
);

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
