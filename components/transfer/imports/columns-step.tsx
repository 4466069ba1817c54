"use client";

import { useId } from "react";
import { columnName, type MappingState } from "@/components/transfer/imports/use-mapping";
import { type Option, Select, SelectOptions, STACKED } from "@/components/ui/controls";
import type { NamedItem } from "@/lib/core/access/permissions";
import { counted } from "@/lib/core/text/format";
import { haveOwners } from "@/lib/transfer/imports/columns";
import { labelParts } from "@/lib/transfer/imports/mapping";
import type { FirstRow, Import, ImportField } from "@/lib/transfer/imports/schema";

/** The fields of one section. */
type Group = { section: string; options: Option[] };

/** Returns the fields by section; those without one come first. */
function groupsOf(fields: readonly ImportField[]): Group[] {
  const named = fields.map(({ key, label, required }) => {
    const { section, short } = labelParts(label);
    return { section, option: { value: key, label: required ? `${short} *` : short } };
  });
  return [...new Set(["", ...named.map(({ section }) => section)])].map((section) => ({
    section,
    options: named.filter((one) => one.section === section).map(({ option }) => option),
  }));
}

function ColumnRow({
  name,
  samples,
  groups,
  value,
  onChange,
}: {
  name: string;
  samples: readonly string[];
  groups: readonly Group[];
  value: string;
  onChange: (key: string) => void;
}) {
  const id = useId();
  return (
    <li className="grid items-center gap-x-6 gap-y-2 py-3 md:grid-cols-2">
      <div className="min-w-0 wrap-anywhere">
        <label htmlFor={id} className="font-medium">
          {name}
        </label>
        <p id={`${id}-samples`} className="text-muted text-sm">
          {samples.join(" · ") || "No values"}
        </p>
      </div>
      <select
        id={id}
        className="control"
        aria-describedby={`${id}-samples`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">-- Do not import --</option>
        {groups.map(({ section, options }) =>
          section === "" ? (
            <SelectOptions key={section} options={options} placeholder={null} />
          ) : (
            <optgroup key={section} label={section}>
              <SelectOptions options={options} placeholder={null} />
            </optgroup>
          ),
        )}
      </select>
    </li>
  );
}

/** The most characters of a row that can be chosen for the headings. */
const ROW_SHOWN = 60;

const rowOption = ({ number, text }: FirstRow): Option => ({
  value: number,
  label: `Row ${number}: ${text.length > ROW_SHOWN ? `${text.slice(0, ROW_SHOWN)}…` : text}`,
});

/** The row of the file that has the headings, and what is above it. Another row changes the columns at once. */
function Headings({
  headingRow,
  above,
  firstRows,
  onChange,
}: Pick<Import, "headingRow" | "above" | "firstRows"> & { onChange: (headingRow: number) => void }) {
  return (
    <>
      {firstRows.length > 0 && (
        <Select
          label="Headings are in"
          className={STACKED}
          options={[...firstRows.map(rowOption), { value: 0, label: "No row: the file has no headings" }]}
          value={headingRow}
          onChange={(value) => onChange(Number(value))}
        />
      )}
      {above.length > 0 && (
        <p className="wrap-anywhere">
          Not imported, because it is above the headings: {above.map((text) => `“${text}”`).join(", ")}.
        </p>
      )}
    </>
  );
}

/** The first step: each column of the file with three of its values, and the field that it becomes. */
export function ColumnsStep({
  item,
  owners,
  state: { matches, match, ownerId, setOwnerId },
  onHeadings,
}: {
  item: Import;
  owners: NamedItem[];
  state: MappingState;
  onHeadings: (headingRow: number) => void;
}) {
  const groups = groupsOf(item.fields);
  const leftOut = item.headings.flatMap((heading, at) => {
    const count = item.columns[at]?.count ?? 0;
    return matches[at] || count === 0 ? [] : [`${columnName(heading, at)} (${counted(count, "value")})`];
  });
  return (
    <>
      <Headings {...item} onChange={onHeadings} />
      <ul className="divide-y divide-line border-line border-y">
        {item.headings.map((heading, at) => (
          <ColumnRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their places
            key={at}
            name={columnName(heading, at)}
            samples={item.columns[at]?.samples ?? []}
            groups={groups}
            value={matches[at] ?? ""}
            onChange={(key) => match(at, key)}
          />
        ))}
      </ul>
      {haveOwners(item.fields) && (
        <Select
          label={`Give ${item.kind === "clients" ? "these clients" : "these records"} to`}
          className="block max-w-96"
          placeholder="Myself"
          options={owners.map(({ id, name }) => ({ value: id, label: name }))}
          value={ownerId ?? ""}
          onChange={(id) => setOwnerId(id === "" ? null : Number(id))}
        />
      )}
      {leftOut.length > 0 && <p className="wrap-anywhere">Not imported: {leftOut.join(", ")}.</p>}
    </>
  );
}
