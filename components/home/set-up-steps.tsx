"use client";

import { keepSetUpPage } from "@/components/shell/set-up-page";
import { CheckIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import type { SetUpStep } from "@/lib/home/set-up";

/** Returns the steps whose state is known. Nothing stored can tell of the others. */
const knownOf = (steps: readonly SetUpStep[]) => steps.filter(({ isDone }) => isDone !== null);

/** The number of steps that are done, in words and as a bar. */
export function SetUpProgress({ steps }: { steps: readonly SetUpStep[] }) {
  const known = knownOf(steps);
  const done = known.filter(({ isDone }) => isDone).length;
  return (
    <div>
      <p className="text-muted">{`${done} of ${known.length} steps are done.`}</p>
      <div aria-hidden="true" className="mt-2 h-1.5 rounded-full bg-subtle forced-colors:outline">
        <div
          className="h-full rounded-full bg-accent forced-colors:bg-[Highlight]"
          style={{ width: `${(100 * done) / known.length}%` }}
        />
      </div>
    </div>
  );
}

const MARKS = {
  done: "bg-success-soft text-success",
  open: "border border-control-line",
  unknown: "border border-control-line border-dashed",
};

/** The steps, each with a mark if it is done and a link to its screen, which leads back here. */
export function SetUpSteps({ steps }: { steps: readonly SetUpStep[] }) {
  return (
    <ol className="link-list gap-x-6 sm:columns-2">
      {steps.map(({ title, words, href, isDone }) => (
        <li key={title} className="mb-4 flex break-inside-avoid items-start gap-3 max-sm:mb-2">
          <span
            aria-hidden="true"
            className={`mt-0.5 grid size-5 max-sm:mt-3 pointer-coarse:mt-3 flex-none place-items-center rounded-full text-sm ${MARKS[isDone === null ? "unknown" : isDone ? "done" : "open"]}`}
          >
            {isDone && <CheckIcon />}
          </span>
          <div className="min-w-0">
            <Link href={href} className="link font-medium" onClick={() => keepSetUpPage(href)}>
              {title}
            </Link>
            {isDone && <span className="text-muted text-sm"> · Done</span>}
            <p className="text-muted text-sm">{words}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Returns the first step that is not done. */
export const nextStep = (steps: readonly SetUpStep[]): SetUpStep | undefined =>
  steps.find(({ isDone }) => isDone === false);
