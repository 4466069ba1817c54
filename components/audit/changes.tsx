import { bySection, type ChangeSentence } from "@/lib/audit/sentences";

/** Changes in words, under the title of each section. */
export function Changes({ changes }: { changes: readonly ChangeSentence[] }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {bySection(changes).map(({ section, sentences }) => (
        <div key={section}>
          {section && <p className="text-muted text-sm">{section}</p>}
          <ul className="flex flex-col gap-0.5">
            {sentences.map(({ text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may change alike, and the list does not change
              <li key={index} className="wrap-anywhere whitespace-pre-wrap">
                {text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
