"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { ReturnDialog } from "@/components/review/return-dialog";
import { Button, LinkButton } from "@/components/ui/controls";
import { CheckIcon, ChevronIcon, UndoIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { useShortcut } from "@/components/ui/shortcuts";
import { useAttempt } from "@/components/ui/use-failure";
import { call } from "@/lib/api/client";
import { REMOVED_CLIENT } from "@/lib/clients/words";
import { date } from "@/lib/fields/format";
import { formMessages } from "@/lib/forms/words";
import type { Review } from "@/lib/review/data";

/** The review state of the open form, and the buttons and keys of a reviewer. */
export function ReviewBar({ review }: { review: Review }) {
  const { id, from, reconciled, mayReconcile, mayReturn, closedThrough, client } = review;
  const router = useRouter();
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);
  const [returning, setReturning] = useState(false);
  // Kept from when the form was opened: a reconciled form may no longer be in the list, and then has no neighbours.
  const [{ previous, next }] = useState(review);
  const previousLink = useRef<HTMLAnchorElement>(null);
  const nextLink = useRef<HTMLAnchorElement>(null);
  const at = (form: number) => `/forms/${form}/edit${from}`;

  const reconcile = (goOn = false) =>
    run(async () => {
      await call("POST /api/forms/{id}/reconcile", { params: { id }, body: { reconciled: !reconciled } });
      notify.success(reconciled ? formMessages.unreconciled : formMessages.reconciled);
      // Clicks the link rather than using the router, because the question about unsaved changes listens for clicks.
      if (goOn) nextLink.current?.click();
      else router.refresh();
    });

  useShortcut("r", "Reconcile the form", () => void reconcile(), mayReconcile && !reconciled && !busy);
  useShortcut("k", "Previous form of the list", () => previousLink.current?.click(), previous !== null);
  useShortcut("j", "Next form of the list", () => nextLink.current?.click(), next !== null);

  return (
    <section aria-label="Review" className="card print-hidden stack mb-4 p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {review.seesClient && (
            <Link href={`/clients/${client.id}`} className="link wrap-anywhere">
              {client.name}
            </Link>
          )}
          {reconciled && (
            <span className="text-sm">
              {review.reconciledBy && `Reconciled by ${review.reconciledBy}. `}
              {closedThrough === null && "Saved changes must be reconciled again."}
            </span>
          )}
          {review.clientPurged && (
            <span className="text-sm">
              {`${REMOVED_CLIENT}: what is left of this form is for reports to count, and does not change.`}
            </span>
          )}
          {closedThrough && (
            <span className="text-sm">{`Forms through ${date(closedThrough)} are closed and cannot be changed.`}</span>
          )}
        </p>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {mayReconcile && (
            <Button
              size="sm"
              icon={reconciled ? <UndoIcon /> : <CheckIcon />}
              busy={busy}
              onClick={() => void reconcile()}
            >
              {reconciled ? "Unreconcile" : "Reconcile"}
            </Button>
          )}
          {mayReconcile && !reconciled && next !== null && (
            <Button size="sm" icon={<CheckIcon />} busy={busy} onClick={() => void reconcile(true)}>
              Reconcile and next
            </Button>
          )}
          {mayReturn && (
            <Button size="sm" onClick={() => setReturning(true)}>
              Return to advocate…
            </Button>
          )}
          {previous !== null && (
            <LinkButton
              ref={previousLink}
              size="sm"
              href={at(previous)}
              icon={<ChevronIcon direction="left" />}
            >
              Previous
            </LinkButton>
          )}
          {next !== null && (
            <LinkButton ref={nextLink} size="sm" href={at(next)} icon={<ChevronIcon direction="right" />}>
              Next
            </LinkButton>
          )}
        </div>
      </div>
      {review.changed.length > 0 && (
        <Notice title="Changed since it was last checked">
          <ul className="flex flex-col gap-1">
            {review.changed.map(({ field, label, from, to }) => (
              <li key={field} className="wrap-anywhere">
                <span className="font-medium">{label}</span>
                {`: ${from || "blank"} → ${to || "blank"}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {review.returned && (
        <Notice title={`Returned by ${review.returned.by}`}>
          <p className="whitespace-pre-line wrap-anywhere">{review.returned.comment}</p>
        </Notice>
      )}
      <ReturnDialog
        id={id}
        advocate={review.advocate}
        open={returning}
        onClose={() => setReturning(false)}
        onReturned={() => router.refresh()}
      />
    </section>
  );
}
