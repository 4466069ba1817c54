"use client";

import { namedOptions } from "@/components/record/choices";
import { IconButton, SelectOptions } from "@/components/ui/controls";
import { TrashIcon } from "@/components/ui/icons";
import { Labeled, LabeledDay } from "@/components/ui/plain-inputs";
import type { NamedItem } from "@/lib/core/access/permissions";
import { EARLIEST_DAY } from "@/lib/core/fields/format";
import { NO_LINE } from "@/lib/lookups/report-lines";
import type { ReportKey } from "@/lib/reports/definitions";
import { type Mapping, sectionsFor } from "@/lib/reports/mapping";

/** One mapping: its line, its form type and its dates. `onChange(null)` removes it. */
export function MappingRow({
  report,
  label,
  mapping,
  formTypes,
  problem,
  onChange,
}: {
  report: ReportKey;
  /** The name of the mapped value. */
  label: string;
  mapping: Mapping;
  /** Null for kinds of values that cannot be mapped by form type. */
  formTypes: NamedItem[] | null;
  problem: string;
  onChange: (mapping: Mapping | null) => void;
}) {
  const sections = sectionsFor(report, mapping.kind);
  const labels = sections.flatMap(({ lines }) => lines.map(({ label }) => label));
  /** A closed dropdown does not show the section of its option. */
  const distinguishLine = (label: string, section: string) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (${section})`;
  const set = (change: Partial<Mapping>) => onChange({ ...mapping, ...change });
  return (
    <fieldset className="mt-2 flex min-w-0 flex-wrap items-end gap-3">
      <legend className="sr-only">Mapping of {label}</legend>
      <Labeled label="Line">
        <select
          className="control w-80 max-w-full"
          value={mapping.line}
          onChange={({ target }) => set({ line: target.value })}
        >
          <option value={NO_LINE}>Not on any line</option>
          {sections.map(({ key, title, lines }) => (
            <optgroup key={key} label={title}>
              <SelectOptions
                options={lines.map(({ key, label }) => ({
                  value: key,
                  label: distinguishLine(label, title),
                }))}
                placeholder={null}
              />
            </optgroup>
          ))}
        </select>
      </Labeled>
      {formTypes && (
        <Labeled label="Form Type">
          <select
            className="control"
            value={mapping.formTypeId ?? ""}
            onChange={({ target }) => set({ formTypeId: target.value ? Number(target.value) : null })}
          >
            <SelectOptions options={namedOptions(formTypes)} placeholder="All others" />
          </select>
        </Labeled>
      )}
      <LabeledDay
        label="First Day"
        value={mapping.validFrom === EARLIEST_DAY ? "" : mapping.validFrom}
        onChange={(day) => set({ validFrom: day || EARLIEST_DAY })}
      />
      <LabeledDay
        label="Last Day"
        value={mapping.validThrough ?? ""}
        onChange={(day) => set({ validThrough: day || null })}
      />
      <IconButton label={`Remove this row of ${label}`} icon={<TrashIcon />} onClick={() => onChange(null)} />
      {problem && <p className="w-full text-danger text-sm">{problem}</p>}
    </fieldset>
  );
}
