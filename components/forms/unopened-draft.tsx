import { useId } from "react";
import { InfoIcon } from "@/components/ui/icons";
import type { Unopened } from "@/lib/forms/drafts/fitted";

/** Lists the values of a draft that could not be restored, so that the user can enter them again. */
export function UnopenedDraft({ unopened }: { unopened: readonly Unopened[] }) {
  const id = useId();
  if (unopened.length === 0) return null;
  return (
    <section aria-labelledby={id} className="card p-4">
      <h2 id={id} className="flex items-center gap-2 font-semibold">
        <span className="text-accent">
          <InfoIcon />
        </span>
        Part of this draft could not be restored
      </h2>
      <p className="mt-1">
        It was saved by another version of this application, which had other fields. These values are not in
        the form below:
      </p>
      <dl className="mt-2 flex flex-col gap-1">
        {unopened.map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two fields may say the same
          <div key={index} className="wrap-anywhere">
            <dt className="inline font-semibold">{label}: </dt>
            <dd className="inline whitespace-pre-line">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
