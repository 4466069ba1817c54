"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/controls";
import { CheckIcon, UndoIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";
import { counted } from "@/lib/core/text/format";
import type { FormListItem } from "@/lib/forms/api-schema";
import { useReconcile } from "./use-reconcile";

/** Reconciles those of the selected forms that are reviewable, or unreconciles them if all are reconciled; at least one is selected. */
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
  const reconciled = !reviewable.every((form) => form.reconciled);

  const reconcile = () =>
    run(async () => {
      await reconcileMany(reviewable, reconciled);
      onClear();
      router.refresh();
    });

  return (
    <>
      {/* On a phone, only the button has space for the number. */}
      <p className="mr-2 font-semibold max-sm:sr-only">{`${selected.length} selected`}</p>
      {children}
      {reviewable.length > 0 && (
        <Button
          size="sm"
          className="[&>svg]:max-sm:hidden"
          icon={reconciled ? <CheckIcon /> : <UndoIcon />}
          busy={busy}
          onClick={() => void reconcile()}
        >
          {`${reconciled ? "Reconcile" : "Unreconcile"} ${counted(reviewable.length, "form")}`}
        </Button>
      )}
      <Button size="sm" variant="ghost" className="ml-auto" onClick={onClear}>
        Clear
      </Button>
    </>
  );
}
