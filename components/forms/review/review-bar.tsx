"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useRef, useState } from "react";
import { Changes } from "@/components/audit/changes";
import { Button, LinkButton } from "@/components/ui/controls";
import { onFirstClick } from "@/components/ui/first-click";
import { CheckIcon, ChevronIcon, LockIcon, UndoIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { loadable, useLoadable } from "@/components/ui/loadable";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { useShortcut } from "@/components/ui/shortcuts";
import { useAttempt } from "@/components/ui/use-failure";
import { REMOVED_CLIENT } from "@/lib/clients/words";
import { isCode } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import type { Review } from "@/lib/forms/review/reviews";
import { CHANGED_UNKNOWN } from "@/lib/forms/review/since-check";
import { closedWords, RETURNED_AND_CLOSED } from "@/lib/forms/words";
import { useReconcile } from "./use-reconcile";

const returnDialog = loadable(async () => (await import("./return-dialog")).ReturnDialog);

/** On a phone, the buttons share a row. */
const PHONE_BUTTON = "max-sm:grow max-sm:px-2 max-sm:[&>svg]:hidden";

/**
 * The review state of the open form, and the buttons and keys of a reviewer. `page` is the page that shows the form, on
 * which its neighbors open too.
 */
export function ReviewBar({ review, page }: { review: Review; page: "formsView" | "formsEdit" }) {
  const { from, reconciled, mayReconcile } = review;
  const router = useRouter();
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);
  const { reconcileOne } = useReconcile();
  const [returning, setReturning] = useState(false);
  const ReturnDialog = useLoadable(returnDialog, returning, () => setReturning(false));
  // Read once, when the form is opened. A reconciled form may no longer be in the list, and then has no neighbors.
  const [{ previous, next }] = useState(review);
  const previousLink = useRef<HTMLAnchorElement>(null);
  const nextLink = useRef<HTMLAnchorElement>(null);
  const at = (form: number | null) => (form === null ? null : to(page, { id: form }) + from);

  /** Opens the next form; stays if there is none. */
  const goOn = () => {
    // Clicks the link instead of using the router, because the guard for unsaved changes listens for clicks.
    if (nextLink.current) nextLink.current.click();
    else router.refresh();
  };
  const reconcile = (thenNext = false) =>
    run(async () => {
      await reconcileOne(review, !reconciled).catch((error: unknown) => {
        // The reviewer sees the form as it is now, and decides again.
        if (isCode(error, "conflict_version")) router.refresh();
        throw error;
      });
      if (thenNext) goOn();
      else router.refresh();
    });

  useShortcut("r", "Reconcile the form", () => void reconcile(), mayReconcile && !reconciled && !busy);
  useShortcut("k", "Previous form in the list", () => previousLink.current?.click(), previous !== null);
  useShortcut("j", "Next form in the list", () => nextLink.current?.click(), next !== null);

  return (
    <section aria-label="Review" className="card print-hidden stack mb-4 p-2 sm:p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Actions
          {...{ review, busy }}
          // While the form is edited, saving is the main action.
          isMain={page === "formsView"}
          hasNext={next !== null}
          onReconcile={(thenNext) => void reconcile(thenNext)}
          onReturn={() => setReturning(true)}
        />
        <div className="flex min-w-0 items-center gap-2 empty:hidden max-sm:w-full sm:ml-auto">
          {review.seesClient && (
            <Link
              href={to("clientsShow", { id: review.client.id })}
              className="link touch-link min-w-0 flex-1 wrap-anywhere sm:mr-2"
            >
              {review.client.name}
            </Link>
          )}
          <Neighbors previous={at(previous)} next={at(next)} {...{ previousLink, nextLink }} />
        </div>
        <ReviewState review={review} />
      </div>
      {page === "formsEdit" && (review.changed.changes.length > 0 || review.changed.isUnknown) && (
        <Notice title="Changed since it was last checked">
          {review.changed.isUnknown && <p>{CHANGED_UNKNOWN}</p>}
          <Changes changes={review.changed.changes} />
        </Notice>
      )}
      {ReturnDialog && (
        <ReturnDialog
          form={review}
          open={returning}
          onClose={() => setReturning(false)}
          onReturned={() => {
            if (page === "formsView") goOn();
            else router.refresh();
          }}
        />
      )}
    </section>
  );
}

/** The buttons that decide on the form. */
function Actions({
  review: { reconciled, mayReconcile, mayReturn },
  isMain,
  hasNext,
  busy,
  onReconcile,
  onReturn,
}: {
  review: Review;
  /** True if reconciling is the main action of the page. */
  isMain: boolean;
  hasNext: boolean;
  busy: boolean;
  onReconcile: (thenNext: boolean) => void;
  onReturn: () => void;
}) {
  const reconcilesOn = mayReconcile && !reconciled && hasNext;
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden max-sm:w-full max-sm:flex-nowrap">
      {reconcilesOn && (
        <Button
          variant={isMain ? "primary" : undefined}
          size="sm"
          className={PHONE_BUTTON}
          icon={<CheckIcon />}
          busy={busy}
          onClick={onFirstClick(() => onReconcile(true))}
        >
          Reconcile and next
        </Button>
      )}
      {mayReconcile && (
        <Button
          variant={isMain && !reconcilesOn && !reconciled ? "primary" : undefined}
          size="sm"
          // A phone has no space for both.
          className={reconcilesOn ? "max-sm:hidden" : PHONE_BUTTON}
          icon={reconciled ? <UndoIcon /> : <CheckIcon />}
          busy={busy}
          onClick={onFirstClick(() => onReconcile(false))}
        >
          {reconciled ? "Unreconcile" : "Reconcile"}
        </Button>
      )}
      {mayReturn && (
        <Button size="sm" className={PHONE_BUTTON} onClick={onReturn}>
          <span>
            Return<span className="max-sm:sr-only"> to advocate…</span>
          </span>
        </Button>
      )}
    </div>
  );
}

type LinkRef = RefObject<HTMLAnchorElement | null>;

/** Links to the form before and after this one in the list. */
function Neighbors({
  previous,
  next,
  previousLink,
  nextLink,
}: {
  previous: string | null;
  next: string | null;
  previousLink: LinkRef;
  nextLink: LinkRef;
}) {
  return (
    <>
      {previous !== null && (
        <LinkButton
          ref={previousLink}
          size="sm"
          className="max-sm:ml-auto max-sm:min-w-11 max-sm:px-2"
          href={previous}
          icon={<ChevronIcon direction="left" />}
        >
          <span className="max-sm:sr-only">Previous</span>
        </LinkButton>
      )}
      {next !== null && (
        <LinkButton
          ref={nextLink}
          size="sm"
          className={`max-sm:min-w-11 max-sm:px-2 ${previous === null ? "max-sm:ml-auto" : ""}`}
          href={next}
          icon={<ChevronIcon direction="right" />}
        >
          <span className="max-sm:sr-only">Next</span>
        </LinkButton>
      )}
    </>
  );
}

/** The state of the form in words. */
function ReviewState({
  review: { reconciled, reconciledBy, clientPurged, closedThrough, isReturned },
}: {
  review: Review;
}) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 empty:hidden sm:basis-full">
      {reconciled && (
        <span className="text-sm">
          {reconciledBy && `Reconciled by ${reconciledBy}. `}
          {closedThrough === null && "If you save changes, the form must be reconciled again."}
        </span>
      )}
      {clientPurged && (
        <span className="text-sm">
          {`${REMOVED_CLIENT}: this form counts in reports but cannot be changed.`}
        </span>
      )}
      {closedThrough && (
        <span className="text-sm">
          <LockIcon /> {closedWords(closedThrough)}
          {isReturned && ` ${RETURNED_AND_CLOSED}`}
        </span>
      )}
    </p>
  );
}
