"use client";

import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select, SelectOptions } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { FormBody } from "@/components/ui/form-body";
import { Labeled } from "@/components/ui/plain-inputs";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import type { NamedItem } from "@/lib/core/access/permissions";
import { counted, EARLIEST_DAY, MONTHS, whole } from "@/lib/core/text/format";
import { NO_LINE } from "@/lib/lookups/report-lines";
import type { ReportKey } from "@/lib/reports/definitions";
import {
  findUnmapped,
  isValidOn,
  KINDS,
  KINDS_BY_FORM_TYPE,
  kindsIn,
  type Mapping,
  type MappingKind,
  type Source,
  type Unmapped,
} from "@/lib/reports/mapping";
import { type Period, periodName, quarterOf } from "@/lib/reports/periods";
import type { Change, SetupResponse } from "@/lib/reports/setup/schema";
import { LineSelect } from "./line-select";
import { MappedValue } from "./mapped-value";
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
  const unmapped = findUnmapped(setup.sources, setup.mappings, today);
  return (
    <div className="stack max-w-3xl">
      <UnsavedGuard unsaved={edited.isUnsaved} />
      {unmapped.length > 0 && <NotMapped report={setup.report} values={unmapped} {...{ edited, today }} />}
      <Section title="Year and due dates">
        <div className="flex flex-wrap items-end gap-4">
          <FormBody>
            <SettingsOfReport setup={setup} {...edited} />
          </FormBody>
        </div>
        {setup.report === "pccd" && (
          <p>PCCD's pages contradict each other about the start of the year. Ask PCCD.</p>
        )}
      </Section>
      <Section
        title="What counts where"
        actions={
          <Select
            label="List"
            options={kinds.map((value) => ({ value, label: KINDS[value].label }))}
            value={kind}
            onChange={(value) => setKind(kinds.find((name) => name === value) ?? kind)}
          />
        }
        description={HINTS[kind]}
      >
        {unmapped.length === 0 && <p className="text-muted">Every value of every list has a line.</p>}
        <Values {...{ setup, kind, formTypes, edited }} />
        <p className="text-muted text-sm">
          To change what counts from a day on, edit the value, choose Changed over time, give the present row
          a last day, and add a row with a first day. Earlier forms keep their line.
        </p>
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
          <Button busy={edited.busy !== null} onClick={edited.tryIt}>
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

/** The values without a line, each with a select of lines. A value keeps its place here until it is saved. */
const NotMapped = ({
  report,
  values,
  edited: { mappings, add, replace },
  today,
}: {
  report: ReportKey;
  values: readonly Unmapped[];
  edited: Edited;
  today: string;
}) => (
  <Section
    title={`${counted(values.length, "value")} on no line yet`}
    description="Forms with these values are missing in the report. Choose a line for each."
  >
    <ul className="divide-y divide-line">
      {values.map(({ kind, source, label, partly }) => {
        const at = mappings.findIndex(
          (one) =>
            one.kind === kind && one.source === source && one.formTypeId === null && isValidOn(one, today),
        );
        const mapping = mappings[at];
        const choose = (line: string) =>
          mapping
            ? replace(at, line ? { ...mapping, line } : null)
            : add({ ...newRow({ kind, source }), line });
        return (
          <li key={kind + source} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <p className="w-64 max-w-full flex-none wrap-anywhere">
              {label}{" "}
              <span className="text-muted text-sm">
                {KINDS[kind].label}
                {partly && ", all other form types"}
              </span>
            </p>
            <div className="min-w-0 flex-auto sm:max-w-96">
              <LineSelect
                {...{ report, kind }}
                label={`Line of ${label}`}
                value={mapping?.line ?? ""}
                placeholder="Choose a line"
                onChange={choose}
              />
            </div>
          </li>
        );
      })}
    </ul>
  </Section>
);

/** The number of earlier quarters with which due dates can begin. */
const QUARTERS_BEFORE = 8;

/** Returns the quarters before the first one that is due anyway, newest first, with the one that is stored. */
const dueStarts = (firstDue: string, stored: string | null) => {
  const quarters = Array.from({ length: QUARTERS_BEFORE }, (_, at) => quarterOf(firstDue, -1 - at));
  const others = stored && quarters.every(({ from }) => from !== stored) ? [quarterOf(stored)] : [];
  return [...quarters, ...others].map((quarter) => ({ value: quarter.from, label: periodName(quarter) }));
};

const YEAR_STARTS = MONTHS.map((label, at) => ({ value: at + 1, label }));

/** The fields of the whole report: when its year starts, and when it is due. */
const SettingsOfReport = ({
  setup: { dueFrom, firstDue },
  settings,
  change,
}: Pick<Props, "setup"> & Pick<Edited, "settings" | "change">) => (
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
    {firstDue && (
      <Labeled label="Due dates begin with">
        <select
          className="control"
          value={settings.dueFrom ?? ""}
          onChange={({ target }) => change({ dueFrom: target.value || null })}
        >
          <SelectOptions
            options={dueStarts(firstDue, dueFrom)}
            placeholder={`${periodName(quarterOf(firstDue))}, the first quarter with accounts here`}
          />
        </select>
      </Labeled>
    )}
  </>
);

/** The values of a kind, each with the lines it counts on. */
const Values = ({
  setup: { report, sources },
  kind,
  formTypes,
  edited: { mappings, add, replace, problemAt },
}: Pick<Props, "setup" | "formTypes"> & { kind: MappingKind; edited: Edited }) => {
  const placed = mappings.map((mapping, at) => ({ mapping, at }));
  return (
    <ul className="divide-y divide-line">
      {sources
        .filter((value) => value.kind === kind)
        .map((value) => (
          <MappedValue
            key={kind + value.source}
            {...{ report, value, problemAt }}
            own={placed.filter(({ mapping }) => mapping.kind === kind && mapping.source === value.source)}
            formTypes={KINDS_BY_FORM_TYPE.includes(kind) ? formTypes : null}
            onAdd={() => add(newRow(value))}
            onChange={replace}
          />
        ))}
    </ul>
  );
};

const newRow = ({ kind, source }: Pick<Source, "kind" | "source">): Mapping => ({
  kind,
  source,
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
