"use client";

import { useState } from "react";
import { flushSync } from "react-dom";
import { SET_UP_AT_HOME } from "@/components/home/set-up-choice";
import { nextStep, SetUpProgress, SetUpSteps } from "@/components/home/set-up-steps";
import { keepSetUpPage } from "@/components/shell/set-up-page";
import { keepInBrowser } from "@/components/ui/browser-choices";
import { Button, LinkButton } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { PAGES } from "@/lib/core/pages";
import type { SetUpStep } from "@/lib/home/set-up";

/** The list of what to set up, as a card on Home that can be put away. */
export function SetUpAtHome({ steps }: { steps: readonly SetUpStep[] }) {
  const [isAway, setAway] = useState(false);
  const notify = useNotify();
  if (isAway) return null;

  function putAway() {
    keepInBrowser(SET_UP_AT_HOME.cookie, SET_UP_AT_HOME.value);
    flushSync(() => setAway(true));
    // The pressed button is gone.
    document.querySelector("main")?.focus({ preventScroll: true });
    notify.success("The list is under Settings, Set Up.");
  }

  const next = nextStep(steps);
  return (
    <Section
      title={PAGES.setUp.title}
      className="print-hidden mb-4 max-w-3xl"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="ghost" size="sm" onClick={putAway}>
            Put away
          </Button>
          {next && (
            <LinkButton variant="primary" size="sm" href={next.href} onClick={() => keepSetUpPage(next.href)}>
              {`Next: ${next.title}`}
            </LinkButton>
          )}
        </div>
      }
    >
      <SetUpProgress steps={steps} />
      <SetUpSteps steps={steps} />
    </Section>
  );
}
