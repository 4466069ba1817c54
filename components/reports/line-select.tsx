import { SelectOptions } from "@/components/ui/controls";
import { NO_LINE } from "@/lib/lookups/report-lines";
import type { ReportKey } from "@/lib/reports/definitions";
import { lineName, type MappingKind, NOT_ON_ANY_LINE, sectionsFor } from "@/lib/reports/mapping";

/** A select of the lines on which values of a kind can count, by section. `label` is its accessible name. */
export function LineSelect({
  report,
  kind,
  label,
  value,
  placeholder,
  onChange,
}: {
  report: ReportKey;
  kind: MappingKind;
  label: string;
  value: string;
  /** The text of the empty option, for a value without a line. */
  placeholder?: string;
  onChange: (line: string) => void;
}) {
  return (
    <select
      className="control w-full max-w-96"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {placeholder && <option value="">{placeholder}</option>}
      <option value={NO_LINE}>{NOT_ON_ANY_LINE}</option>
      {sectionsFor(report, kind).map(({ key, title, lines }) => (
        <optgroup key={key} label={title}>
          <SelectOptions
            options={lines.map(({ key }) => ({ value: key, label: lineName(report, kind, key) }))}
            placeholder={null}
          />
        </optgroup>
      ))}
    </select>
  );
}
