"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useId, useState } from "react";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button, LinkButton } from "@/components/ui/controls";
import { useHydrated } from "@/components/ui/hydrated";
import { InfoIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useRowFocus } from "@/components/ui/use-row-focus";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { now } from "@/lib/core/text/clock";
import { ago, shortDateTimeOfDay } from "@/lib/core/text/format";
import type { DraftSummary } from "@/lib/forms/drafts/schema";

/**
 * Returns the name of a draft for use in a sentence: `Phone form for Wilma E.`, as far as it is known, or `changes to
 * form 7`.
 */
const nameOf = ({ formId, formType, client }: DraftSummary): string =>
  [
    formId === null ? null : `changes to form ${formId}${formType || client ? ":" : ""}`,
    formType ? `${formType} form` : formId === null ? "new form" : null,
    client && `for ${client}`,
  ]
    .filter(Boolean)
    .join(" ");

/** Returns the URL that continues a draft; `from` is the query of the list to return to. */
const continueAt = ({ key, formId }: DraftSummary, from: string): string =>
  `${formId === null ? to("formsNew") : to("formsEdit", { id: formId })}?${new URLSearchParams({ draft: key, ...(from && { from }) })}`;

/**
 * Offers the user's drafts, to continue or discard: the newest, and those whose form was saved since. The others are behind
 * their count, unless `showsAll`.
 */
export function DraftOffer({
  drafts,
  showsAll = false,
}: {
  drafts: readonly DraftSummary[];
  showsAll?: boolean;
}) {
  const id = useId();
  const router = useRouter();
  const params = useSearchParams();
  const pathname = usePathname();
  const list = to("formsList");
  const carried = pathname.startsWith(`${list}/`) ? (params.get("from") ?? "") : "";
  const from = pathname === list ? params.toString() : carried;
  const [discarding, setDiscarding] = useState<DraftSummary | null>(null);
  const [showsOlder, setShowsOlder] = useState(false);
  const hydrated = useHydrated();
  const rowFocus = useRowFocus(drafts, "[data-draft]");
  // Rendered on the server too: a block that appears later would move the rows below it under a pointer.
  if (drafts.length === 0) return null;

  const isOffered = (draft: DraftSummary, index: number) =>
    showsAll || index === 0 || draft.savedFormId !== null;
  const offered = drafts.filter(isOffered);
  const older = drafts.filter((draft, index) => !isOffered(draft, index));

  const offer = (draft: DraftSummary) => {
    const textId = `${id}-${draft.key}`;
    return (
      <div key={draft.key} data-draft className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
        <p id={textId} className="flex min-w-0 flex-1 basis-56 items-center gap-2">
          <span className="text-accent">
            <InfoIcon />
          </span>
          <span className="min-w-0 wrap-anywhere">
            <strong className="font-semibold">Unsaved draft</strong>: {nameOf(draft)},{" "}
            {/* A minute may end between the renders of server and browser. */}
            <time
              dateTime={draft.updatedAt}
              title={shortDateTimeOfDay(draft.updatedAt)}
              suppressHydrationWarning
            >
              {ago(draft.updatedAt, now())}
            </time>
            {draft.savedFormId && (
              <>
                .{" "}
                <Link className="link" href={to("formsEdit", { id: draft.savedFormId })}>
                  Form {draft.savedFormId}
                </Link>{" "}
                for this client, type, and date was saved since. Delete the draft?
              </>
            )}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <LinkButton size="sm" href={continueAt(draft, from)} aria-describedby={textId}>
            Continue
          </LinkButton>
          <Button
            size="sm"
            variant="ghost"
            aria-describedby={textId}
            disabled={!hydrated}
            onClick={() => setDiscarding(draft)}
          >
            Discard
          </Button>
          {older.length > 0 && draft === offered[0] && (
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={showsOlder}
              onClick={() => setShowsOlder((now) => !now)}
            >
              {older.length} older
            </Button>
          )}
        </div>
      </div>
    );
  };

  return (
    <section
      {...rowFocus}
      aria-label="Drafts"
      className={`card print-hidden not-in-[.stack]:mb-4 [&_[data-draft]+[data-draft]]:border-line [&_[data-draft]+[data-draft]]:border-t ${showsAll ? "px-4 py-2 sm:px-5 [&>*]:px-0" : ""}`}
    >
      {showsAll && <h2 className="px-4 py-2 font-semibold text-lg">My drafts</h2>}
      {offered.map(offer)}
      {older.length > 0 && (
        <div hidden={!showsOlder} className="border-line border-t">
          {older.map(offer)}
        </div>
      )}
      <ConfirmDelete
        label={discarding ? `the unsaved ${nameOf(discarding)}` : ""}
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
