"use client";

import { useCallback, useId, useState } from "react";
import { get, useFormState } from "react-hook-form";
import { check, visiblePart } from "@/components/forms/check";
import { countErrors } from "@/components/forms/section-card";
import type { ScreenSection } from "@/components/forms/sections";
import { useSettled } from "@/components/forms/use-settled";
import { blankClient, blankForm, type FormValues, type Rules } from "@/components/forms/values";
import { AlertIcon, CheckIcon, ChevronIcon } from "@/components/ui/icons";
import { counted } from "@/lib/core/text/format";

type State = "todo" | "complete" | "empty";

const under = (name: string, paths: readonly string[]) =>
  paths.some((path) => name === path || name.startsWith(`${path}.`));

/** Returns the progress of a section: something required is missing, complete, or still empty. */
function progress(values: FormValues, sections: readonly ScreenSection[], rules: Rules): State[] {
  const checked = check(values, rules);
  const problems = Object.keys("problems" in checked ? checked.problems : {});
  const { formTypeId, serviceStatus } = values.form;
  const blank = {
    ...values,
    client: blankClient(),
    form: { ...blankForm(rules.lists), formTypeId, serviceStatus },
  };
  const now = visiblePart(values, rules);
  const before = visiblePart(blank, rules);
  return sections.map(({ paths }) => {
    if (problems.some((name) => under(name, paths))) return "todo";
    const entered = paths.some(
      (path) => JSON.stringify(get(now, path)) !== JSON.stringify(get(before, path)),
    );
    return entered ? "complete" : "empty";
  });
}

const looks = {
  todo: { mark: <span aria-hidden="true">○</span>, words: "To fill out", className: "text-muted" },
  complete: { mark: <CheckIcon />, words: "Complete", className: "text-success" },
  empty: { mark: <span aria-hidden="true">–</span>, words: "Nothing entered", className: "text-muted" },
};

/** Navigation for a long form: its sections, with progress and number of errors. A phone has closed sections instead. */
export function SectionNav({ sections, rules }: { sections: readonly ScreenSection[]; rules: Rules }) {
  const states = useSettled(
    useCallback((values: FormValues) => progress(values, sections, rules), [sections, rules]),
  );
  const { errors } = useFormState();
  const listId = useId();
  // On narrow screens the list is collapsed to one line.
  const [open, setOpen] = useState(false);
  const todoCount = states.filter((state) => state === "todo").length;
  return (
    <nav
      id="sections"
      aria-label="Sections of this form"
      className="card print-hidden p-2 max-sm:hidden max-xl:p-1 xl:sticky xl:top-[calc(var(--below-header)+1.25rem)] xl:w-56 xl:flex-none"
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        className="nav-link xl:hidden"
        onClick={() => setOpen((now) => !now)}
      >
        <span className="flex-1">Sections</span>
        <span className="text-muted text-sm">
          {todoCount === 0 ? "nothing left to fill out" : `${counted(todoCount, "section")} to fill out`}
        </span>
        <ChevronIcon direction={open ? "up" : "down"} />
      </button>
      <ul id={listId} className={`flex flex-wrap gap-1 xl:flex-col ${open ? "" : "max-xl:hidden"}`}>
        {sections.map((section, index) => {
          const count = countErrors(errors, section.paths);
          const look = looks[states[index] ?? "empty"];
          return (
            <li key={section.id}>
              <a href={`#${section.id}`} className="nav-link" onClick={() => setOpen(false)}>
                <span className="flex-1" data-title="">
                  {section.title}
                </span>
                {count > 0 ? (
                  <span className="flex items-center gap-1 whitespace-nowrap text-danger text-sm">
                    <AlertIcon />
                    {counted(count, "error")}
                  </span>
                ) : (
                  <span className={look.className} title={look.words}>
                    {look.mark}
                    <span className="sr-only">{look.words}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
