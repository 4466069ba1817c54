"use client";

import { useState } from "react";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { KEYS } from "@/components/ui/browser-choices";
import { activeShortcuts } from "@/components/ui/shortcuts";

/** Lists the keyboard shortcuts of the page below, with a switch for all of them. */
export default function KeyList() {
  const [shortcuts] = useState(activeShortcuts);
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
        {[...shortcuts, { keys: "Esc Esc", label: "Hide the screen" }].map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt className="justify-self-end whitespace-nowrap">
              {keys.split(/[ +](?=.)/).map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one key never move, and Esc is there twice
                <kbd key={index} className="ml-1 rounded border border-control-line px-1.5 py-0.5 text-sm">
                  {part}
                </kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <BrowserChoiceBox choice={KEYS} />
    </>
  );
}
