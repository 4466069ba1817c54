"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/controls";
import { CheckIcon, UndoIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";
import { counted } from "@/lib/core/fields/format";
import type { FormListItem } from "@/lib/forms/api-schema";
import { useReconcile } from "./use-reconcile";

/** Reconciles those of the selected forms that are reviewable, or unreconciles them if all are reconciled. */
export function BulkReconcile({
  selected,
  reviewable,
  onClear,
  children,
}: {
  selected: readonly FormListItem[];
  /** The selected forms that the user may reconcile or unreconcile. */
  reviewable: readonly FormListItem[];
  onClear: () => void;
  /** Other actions on the selected forms. */
  children?: ReactNode;
}) {
  const router = useRouter();
  const { busy, run } = useAttempt(useNotify().error);
  const { reconcileMany } = useReconcile();
  if (selected.length === 0) return null;
  const reconciled = !reviewable.every((form) => form.reconciled);

  const reconcile = () =>
    run(async () => {
      await reconcileMany(reviewable, reconciled);
      onClear();
      router.refresh();
    });

  return (
    <div className="flex flex-wrap items-center gap-3">
      {/* On a phone, only the button has space for the number. */}
      <p className="text-sm max-sm:sr-only">{`${selected.length} selected`}</p>
      {children}
      {reviewable.length > 0 && (
        <Button
          size="sm"
          icon={reconciled ? <CheckIcon /> : <UndoIcon />}
          busy={busy}
          onClick={() => void reconcile()}
        >
          {`${reconciled ? "Reconcile" : "Unreconcile"} ${counted(reviewable.length, "form")}`}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
