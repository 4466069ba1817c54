"use client";

import { namedOptions } from "@/components/record/named-options";
import { IconButton, Select } from "@/components/ui/controls";
import { onFirstClick } from "@/components/ui/first-click";
import { TrashIcon } from "@/components/ui/icons";
import { LabeledDay } from "@/components/ui/plain-inputs";
import type { NamedItem } from "@/lib/core/access/permissions";
import { EARLIEST_DAY } from "@/lib/core/text/format";
import type { ReportKey } from "@/lib/reports/definitions";
import type { Mapping } from "@/lib/reports/mapping";
import { LineSelect } from "./line-select";

/** One mapping while it is edited: its line, its form type, and its days. `onChange(null)` removes it. */
export function MappingRow({
  report,
  label,
  mapping,
  formTypes,
  showsDays,
  problem,
  onChange,
}: {
  report: ReportKey;
  /** The name of the mapped value. */
  label: string;
  mapping: Mapping;
  /** Null for kinds of values that cannot be mapped by form type. */
  formTypes: NamedItem[] | null;
  showsDays: boolean;
  problem: string;
  onChange: (mapping: Mapping | null) => void;
}) {
  const set = (change: Partial<Mapping>) => onChange({ ...mapping, ...change });
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Mapping of {label}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-auto sm:max-w-96">
          <LineSelect
            report={report}
            kind={mapping.kind}
            label="Line"
            value={mapping.line}
            onChange={(line) => set({ line })}
          />
        </div>
        {formTypes && (
          <Select
            label="Form Type"
            hideLabel
            options={namedOptions(formTypes)}
            placeholder="All other form types"
            value={mapping.formTypeId ?? ""}
            onChange={(id) => set({ formTypeId: id ? Number(id) : null })}
          />
        )}
        <IconButton
          label={`Remove this row of ${label}`}
          icon={<TrashIcon />}
          onClick={onFirstClick(() => onChange(null))}
        />
      </div>
      {showsDays && (
        <div className="mt-2 flex flex-wrap gap-3">
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
        </div>
      )}
      {problem && <p className="mt-1 text-danger text-sm">{problem}</p>}
    </fieldset>
  );
}
