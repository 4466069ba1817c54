"use client";

import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/controls";
import type { NamedItem } from "@/lib/core/access/permissions";
import type { ReportKey } from "@/lib/reports/definitions";
import { hasDays, lineName, type Mapping, type Source, validWords } from "@/lib/reports/mapping";
import { MappingRow } from "./mapping-row";

/** A mapping with its place in the list of all mappings. */
export type Placed = { at: number; mapping: Mapping };

type Props = {
  report: ReportKey;
  value: Source;
  /** The mappings of this value. */
  own: Placed[];
  /** Null for kinds of values that cannot be mapped by form type. */
  formTypes: NamedItem[] | null;
  /** Returns the messages about the mapping at this place; "" if there are none. */
  problemAt: (at: number) => string;
  onAdd: () => void;
  onChange: (at: number, mapping: Mapping | null) => void;
};

/** A value and the lines it counts on, in words. A click on it opens its rows for editing. */
export function MappedValue({ report, value, own, formTypes, problemAt, onAdd, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [asksDays, setAsksDays] = useState(false);
  const isRefused = own.some(({ at }) => problemAt(at) !== "");
  const item = useRef<HTMLLIElement>(null);

  /** Changes what is shown, and moves the focus to the first or the last control that matches: the pressed one may be gone. */
  function show(change: () => void, selector: string, which: 0 | -1 = 0) {
    flushSync(change);
    const controls = [...(item.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    controls.at(which)?.focus();
  }
  const edit = () => {
    setIsOpen(true);
    if (own.length === 0) onAdd();
  };
  if (!isOpen && !isRefused)
    return (
      <li ref={item} className="relative flex items-center gap-3 py-1 hover:bg-subtle">
        <div className="flex min-w-0 flex-1 flex-col gap-x-3 sm:flex-row">
          <h3 className="font-medium wrap-anywhere sm:w-56 sm:flex-none">{value.label}</h3>
          <Sentences {...{ report, own, formTypes }} />
        </div>
        <Button
          size="sm"
          variant="ghost"
          className="flex-none after:absolute after:inset-0"
          onClick={() => show(edit, "select")}
        >
          Edit<span className="sr-only"> {value.label}</span>
        </Button>
      </li>
    );
  const showsDays = asksDays || own.some(({ mapping }) => hasDays(mapping));
  return (
    <li ref={item} className="space-y-3 py-3">
      <h3 className="font-semibold wrap-anywhere">{value.label}</h3>
      {own.map(({ at, mapping }) => (
        <MappingRow
          key={at}
          {...{ report, mapping, formTypes, showsDays }}
          label={value.label}
          problem={problemAt(at)}
          onChange={(next) =>
            next ? onChange(at, next) : show(() => onChange(at, null), "select, [data-add]")
          }
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" data-add="" onClick={() => show(onAdd, "select[aria-label=Line]", -1)}>
          Add a row<span className="sr-only"> for {value.label}</span>
        </Button>
        {!showsDays && own.length > 0 && (
          <Button size="sm" onClick={() => show(() => setAsksDays(true), "input")}>
            Changed over time<span className="sr-only"> for {value.label}</span>
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          onClick={() => show(() => setIsOpen(false), "button:last-child", -1)}
        >
          Done<span className="sr-only"> with {value.label}</span>
        </Button>
      </div>
    </li>
  );
}

/** The mappings of a value in words, such as `Hotline, on Phone forms, through 09/30/2026`. */
function Sentences({ report, own, formTypes }: Pick<Props, "report" | "own" | "formTypes">) {
  const formType = (id: number | null) => formTypes?.find((type) => type.id === id)?.name;
  if (own.length === 0) return <p className="text-muted sm:flex-1">On no line yet</p>;
  return (
    <ul className="min-w-0 sm:flex-1">
      {own.map(({ at, mapping }) => (
        <li key={at} className="wrap-anywhere">
          {lineName(report, mapping.kind, mapping.line)}
          <span className="text-muted">
            {mapping.formTypeId !== null &&
              `, on ${formType(mapping.formTypeId) ?? mapping.formTypeId} forms`}
            {hasDays(mapping) && `, ${validWords(mapping)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
