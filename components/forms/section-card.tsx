"use client";

import { type ReactNode, useCallback, useId } from "react";
import { type FieldErrors, get, useFormState } from "react-hook-form";
import { useOpenSection } from "@/components/forms/open-sections";
import { sectionLine } from "@/components/forms/reading";
import type { ScreenSection } from "@/components/forms/sections";
import { useSettled } from "@/components/forms/use-settled";
import type { FormValues, Rules } from "@/components/forms/values";
import { Button } from "@/components/ui/controls";
import { NEEDED_LEGEND, NeededMark } from "@/components/ui/field";
import { AlertIcon, ChevronIcon } from "@/components/ui/icons";
import { counted } from "@/lib/core/text/format";

/** The number of invalid fields below the paths. */
export function countErrors(errors: FieldErrors, paths: readonly string[]): number {
  const count = (node: unknown): number => {
    if (typeof node !== "object" || node === null) return 0;
    if ("message" in node && "type" in node) return 1;
    return Object.values(node).reduce((sum: number, inner) => sum + count(inner), 0);
  };
  return paths.reduce((sum, path) => sum + count(get(errors, path)), 0);
}

function ErrorCount({ paths }: { paths: string[] }) {
  const { errors } = useFormState({ name: paths });
  const count = countErrors(errors, paths);
  if (count === 0) return null;
  return (
    <span className="ml-2 inline-flex items-center gap-1 whitespace-nowrap font-medium text-danger text-sm">
      <AlertIcon />
      {counted(count, "error")}
    </span>
  );
}

/** The entered values of a closed section, in words. */
function Line({ section, rules }: { section: ScreenSection; rules: Rules }) {
  const line = useSettled(
    useCallback((values: FormValues) => sectionLine(section, values, rules), [section, rules]),
  );
  return (
    <p className="line-clamp-3 text-muted text-sm wrap-anywhere sm:hidden">{line || "Nothing entered"}</p>
  );
}

/**
 * A section of the form screen: a card whose heading shows the number of its errors. On a phone it can be closed. Then
 * it shows a line about its content and its required fields (controls.css).
 */
export function SectionCard({
  section,
  rules,
  next,
  children,
}: {
  section: ScreenSection;
  rules: Rules;
  /** The section below; undefined for the last one. */
  next: ScreenSection | undefined;
  children: ReactNode;
}) {
  const { id, title, paths, description, isNeeded, spec } = section;
  const opened = useOpenSection();
  // A section that requires one of several fields has no required field to show.
  const canClose = opened !== null && !spec?.errorAt;
  const isOpen = opened?.id === id;
  const isClosed = canClose && !isOpen;
  const headingId = useId();
  const bodyId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot contain its heading in this layout
    <section
      id={id}
      role="group"
      aria-labelledby={headingId}
      aria-describedby={isNeeded ? NEEDED_LEGEND : undefined}
      data-section=""
      data-closed={isClosed ? "" : undefined}
      className="card stack p-4 [contain-intrinsic-size:auto_40rem] max-sm:gap-3 max-sm:py-3 sm:not-[#details]:[content-visibility:auto] sm:p-5"
    >
      <div className="relative flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <h2 id={headingId} className="font-semibold text-lg">
            {title}
            {isNeeded && <NeededMark />}
            <ErrorCount paths={paths} />
          </h2>
          {isClosed && <Line section={section} rules={rules} />}
        </div>
        {canClose && (
          <button
            type="button"
            aria-labelledby={headingId}
            aria-expanded={isOpen}
            aria-controls={bodyId}
            className="button after:absolute after:inset-0 sm:hidden"
            data-variant="ghost"
            data-icon-only=""
            onClick={() => opened.open(isOpen ? null : id)}
          >
            <ChevronIcon direction={isOpen ? "up" : "down"} />
          </button>
        )}
      </div>
      <div id={bodyId} className="section-body stack">
        {description && <p className="text-muted">{description}</p>}
        {children}
        {opened && !isClosed && next && (
          <Button className="sm:hidden" onClick={() => opened.open(next.id)}>
            {`Next: ${next.title}`}
          </Button>
        )}
      </div>
    </section>
  );
}
