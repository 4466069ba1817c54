"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { CheckIcon, UndoIcon } from "@/components/ui/icons";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/api/client";
import { counted } from "@/lib/fields/format";
import type { FormListItem } from "@/lib/forms/schema";

/** What the last call changed, for Undo. */
type Done = { ids: number[]; reconciled: boolean };

/** Reconciles the selected forms, or unreconciles them if all of them are reconciled, and says which were refused. */
export function BulkReconcile({
  selected,
  onClear,
}: {
  selected: readonly FormListItem[];
  onClear: () => void;
}) {
  const router = useRouter();
  const { messages, setMessages, busy, run } = useFailure();
  const [done, setDone] = useState<Done | null>(null);
  const reconciled = !selected.every((form) => form.reconciled);

  const send = ({ ids, reconciled }: Done, undo = false) =>
    run(async () => {
      const names = new Map(selected.map(({ id, client }) => [id, `Form ${id} of ${client.name}`]));
      const answer = await call("POST /api/forms/reconcile", { body: { ids, reconciled, undo } });
      setDone(undo ? null : { ids: answer.changed, reconciled });
      setMessages(answer.failed.map(({ id, error }) => `${names.get(id) ?? `Form ${id}`}: ${error}`));
      onClear();
      router.refresh();
    });

  return (
    <>
      {selected.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-sm">{`${selected.length} selected`}</p>
          <Button
            size="sm"
            icon={reconciled ? <CheckIcon /> : <UndoIcon />}
            busy={busy}
            onClick={() => void send({ ids: selected.map(({ id }) => id), reconciled })}
          >
            {`${reconciled ? "Reconcile" : "Unreconcile"} ${counted(selected.length, "form")}`}
          </Button>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      <div role="status">
        {done && done.ids.length > 0 && selected.length === 0 && (
          <p className="flex flex-wrap items-center gap-3 text-sm">
            {`${done.reconciled ? "Reconciled" : "Unreconciled"} ${counted(done.ids.length, "form")}.`}
            <Button
              size="sm"
              icon={<UndoIcon />}
              busy={busy}
              // It takes the place of the button that was pressed, which had the focus.
              autoFocus
              onClick={() => void send({ ids: done.ids, reconciled: !done.reconciled }, true)}
            >
              Undo
            </Button>
          </p>
        )}
      </div>
      <ErrorAlert messages={messages} />
    </>
  );
}
