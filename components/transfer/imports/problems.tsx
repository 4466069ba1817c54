"use client";

import type { ReactNode, RefObject } from "react";
import { rowsWords } from "@/components/transfer/imports/words";
import { Button } from "@/components/ui/controls";
import { Section } from "@/components/ui/section";
import { counted } from "@/lib/core/text/format";
import { fieldOfProblem } from "@/lib/transfer/imports/mapping";
import type { Import, ImportField, ProblemGroup } from "@/lib/transfer/imports/schema";

/** The problems of a check by kind, each with its number of rows, the first of them, and one correction for all. */
export function Problems({
  item,
  busy,
  title,
  actions,
  onValues,
  onBlank,
}: {
  item: Import;
  busy: boolean;
  title: RefObject<HTMLSpanElement | null>;
  /** The buttons at the end. */
  actions: ReactNode;
  onValues: (key: string) => void;
  onBlank: (key: string) => void;
}) {
  const matched = item.fields.filter(({ key }) => item.matches.includes(key));
  return (
    <Section
      title={
        <span ref={title} tabIndex={-1} className="outline-none">
          {counted(item.failed, "row")} cannot be imported yet
        </span>
      }
      description="Correct them here, or import the others now and download these with the reasons."
    >
      <ul className="divide-y divide-line border-line border-y">
        {item.problems.map((group) => (
          <Problem
            key={group.problem}
            group={group}
            field={fieldOfProblem(group.problem, matched)}
            busy={busy}
            onValues={onValues}
            onBlank={onBlank}
          />
        ))}
      </ul>
      {actions}
    </Section>
  );
}

function Problem({
  group: { problem, count, rows },
  field,
  busy,
  onValues,
  onBlank,
}: {
  group: ProblemGroup;
  field: ImportField | undefined;
  busy: boolean;
  onValues: (key: string) => void;
  onBlank: (key: string) => void;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{problem}</p>
        <p className="text-muted text-sm">{rowsWords(count, rows)}</p>
      </div>
      {field && (
        <div className="flex flex-wrap gap-2">
          {field.reads !== null && (
            <Button size="sm" onClick={() => onValues(field.key)}>
              Choose values
            </Button>
          )}
          {!field.required && (
            <Button size="sm" busy={busy} onClick={() => onBlank(field.key)}>
              Leave blank in {counted(count, "row")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
