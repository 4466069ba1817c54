"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useId, useState } from "react";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button, LinkButton } from "@/components/ui/controls";
import { useHydrated } from "@/components/ui/hydrated";
import { InfoIcon } from "@/components/ui/icons";
import { call } from "@/lib/api/client";
import type { DraftSummary } from "@/lib/drafts/schema";
import { shortDateTimeOfDay } from "@/lib/fields/format";

const words = ({ formId, updatedAt }: DraftSummary): string =>
  formId === null
    ? `You have an unsaved form from ${shortDateTimeOfDay(updatedAt)}`
    : `You have unsaved changes to form ${formId} from ${shortDateTimeOfDay(updatedAt)}`;

/** The URL that continues a draft; `from` is the query of the list to return to. */
const continueAt = ({ key, formId }: DraftSummary, from: string): string =>
  `${formId === null ? "/forms/new" : `/forms/${formId}/edit`}?${new URLSearchParams({ draft: key, ...(from && { from }) })}`;

/** The newest drafts are shown at once, the others behind a line, so that they never push the page away. */
const SHOWN = 2;

/** Offers the user's drafts when they return. It says when a draft was left, never whom it is about. */
export function DraftOffer({ drafts }: { drafts: readonly DraftSummary[] }) {
  const id = useId();
  const router = useRouter();
  const params = useSearchParams();
  const from = usePathname() === "/forms" ? params.toString() : (params.get("from") ?? "");
  const [discarding, setDiscarding] = useState<DraftSummary | null>(null);
  // The server may be in another time zone, so times are written in the browser only.
  const hydrated = useHydrated();
  if (!hydrated || drafts.length === 0) return null;

  const offer = (draft: DraftSummary) => {
    const textId = `${id}-${draft.key}`;
    return (
      <div key={draft.key} className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p id={textId} className="flex min-w-0 flex-1 basis-64 items-center gap-2">
          <span className="text-accent">
            <InfoIcon />
          </span>
          {words(draft)}
        </p>
        <div className="flex gap-2">
          <LinkButton variant="primary" href={continueAt(draft, from)} aria-describedby={textId}>
            Continue
          </LinkButton>
          <Button aria-describedby={textId} onClick={() => setDiscarding(draft)}>
            Discard
          </Button>
        </div>
      </div>
    );
  };
  const older = drafts.slice(SHOWN);

  return (
    <section aria-label="Unsaved forms" className="card stack print-hidden mb-4 p-4">
      {drafts.slice(0, SHOWN).map(offer)}
      {older.length > 0 && (
        <details>
          <summary className="min-h-control cursor-pointer content-center">{older.length} older</summary>
          <div className="stack">{older.map(offer)}</div>
        </details>
      )}
      <ConfirmDelete
        label="unsaved form"
        open={discarding !== null}
        onClose={() => setDiscarding(null)}
        onDelete={async () => {
          if (!discarding) return;
          await call("DELETE /api/drafts/{key}", { params: { key: discarding.key } });
          router.refresh();
        }}
      />
    </section>
  );
}
