"use client";

import { useEffect, useRef, useState } from "react";
import { ColumnsStep } from "@/components/transfer/imports/columns-step";
import type { MappingState } from "@/components/transfer/imports/use-mapping";
import { columnId, ValuesStep } from "@/components/transfer/imports/values-step";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Section } from "@/components/ui/section";
import type { NamedItem } from "@/lib/core/access/permissions";
import { counted } from "@/lib/core/text/format";
import type { Import } from "@/lib/transfer/imports/schema";

export type Step = "columns" | "values";

/** The steps before the check of a file: its columns, then their values. `at` is the field whose values are shown first. */
export function FileSetup({
  item,
  owners,
  state,
  first,
  at,
  busy,
  messages,
  onHeadings,
  onCheck,
}: {
  item: Import;
  owners: NamedItem[];
  state: MappingState;
  first: Step;
  at: string | null;
  busy: boolean;
  messages: string[] | null;
  /** The row of headings is chosen by its number; 0 for none. */
  onHeadings: (headingRow: number) => void;
  onCheck: () => void;
}) {
  const [step, setStep] = useState<Step>(first);
  const [problem, setProblem] = useState<string | null>(null);
  const title = useRef<HTMLSpanElement>(null);
  const refused = useRef<HTMLDivElement>(null);
  const shown = useRef(first);
  useEffect(() => {
    const column = at ? document.getElementById(columnId(at)) : null;
    column?.scrollIntoView({ block: "start" });
    column?.focus({ preventScroll: true });
  }, [at]);
  // The button is below all columns, and the reason above them.
  useEffect(() => {
    if (!messages) return;
    refused.current?.scrollIntoView({ block: "center" });
    refused.current?.focus({ preventScroll: true });
  }, [messages]);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    title.current?.scrollIntoView({ block: "nearest" });
    title.current?.focus({ preventScroll: true });
  }, [step]);

  const chooseHeadings = (headingRow: number) => {
    setProblem(null);
    onHeadings(headingRow);
  };
  const check = () => {
    const open = state.openColumn;
    setProblem(open ? `Answer the question about the dates in “${open.heading}” first.` : null);
    if (!open) return onCheck();
    setStep("values");
    document.getElementById(columnId(open.field.key))?.focus();
  };
  const isColumns = step === "columns";
  const next = state.hasValues && isColumns ? () => setStep("values") : check;

  return (
    <Section
      title={
        <span ref={title} tabIndex={-1} className="outline-none">
          {isColumns ? "Columns" : "Values"}
        </span>
      }
      description={
        isColumns
          ? "Choose a field for each column. Rows that were imported before are skipped."
          : "Check what each value becomes. Rows with a value for which nothing is chosen are rejected."
      }
    >
      <div ref={refused} tabIndex={-1} className="outline-none empty:hidden">
        <ErrorAlert messages={problem ?? messages} />
      </div>
      {isColumns ? (
        <ColumnsStep item={item} owners={owners} state={state} onHeadings={chooseHeadings} />
      ) : (
        <ValuesStep state={state} />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {!isColumns && <Button onClick={() => setStep("columns")}>Back to the columns</Button>}
        <Button variant="primary" busy={busy} onClick={next}>
          {isColumns && state.hasValues ? "Next: values" : `Check ${counted(item.rows, "row")}`}
        </Button>
      </div>
    </Section>
  );
}
