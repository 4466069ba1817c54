import type { ReactNode } from "react";
import { bySection, type ChangeSentence } from "@/lib/audit/sentences";

/** Changes in words, under the title of each section. `number` returns how one with a phone number is shown. */
export function Changes({
  changes,
  number = ({ text }) => text,
}: {
  changes: readonly ChangeSentence[];
  number?: (sentence: ChangeSentence) => ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {bySection(changes).map(({ section, sentences }) => (
        <div key={section}>
          {section && <p className="text-muted text-sm">{section}</p>}
          <ul className="flex flex-col gap-0.5">
            {sentences.map((sentence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may change alike, and the list does not change
              <li key={index} className="wrap-anywhere whitespace-pre-wrap">
                {sentence.isPhone ? number(sentence) : sentence.text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
