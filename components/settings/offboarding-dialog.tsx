"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { useFailure } from "@/components/ui/use-failure";
import { type Work, workWords } from "@/lib/clients/work";
import { call } from "@/lib/core/api/client";
import { counted } from "@/lib/core/text/format";
import type { UserOption } from "@/lib/lookups/resources/schema";

/**
 * Shows a user's work and gives it to a colleague. With `deactivates`, it also deactivates the account, with or without
 * a successor. `deactivate` only deactivates. On failure nothing has changed and the dialog stays.
 */
export function OffboardingDialog({
  id,
  name,
  deactivates,
  holdings,
  colleagues,
  deactivate,
  onClose,
}: {
  id: number;
  name: string;
  deactivates: boolean;
  holdings: Work & { sessions: number };
  colleagues: UserOption[];
  deactivate: () => Promise<unknown>;
  onClose: () => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [colleagueId, setColleagueId] = useState("");
  const colleague = colleagues.find((person) => String(person.id) === colleagueId);
  const work = workWords(holdings);

  const send = () =>
    run(async () => {
      const messages: string[] = [];
      if (colleague) {
        const body = { toUserId: colleague.id, deactivate: deactivates };
        const moved = await call("POST /api/users/{id}/hand_over", { params: { id }, body });
        messages.push(`Handed over to ${colleague.name}: ${workWords(moved) || "nothing"}`);
      } else await deactivate();
      if (deactivates) messages.push(`Deactivated ${name}`);
      notify.success(messages);
      onClose();
      router.refresh();
    });

  return (
    <Dialog
      open
      onClose={onClose}
      title={deactivates ? `Deactivate ${name}` : `Hand over the work of ${name}`}
      description={
        deactivates
          ? "This user will no longer be able to sign in or receive email. The user's records stay. You can reactivate the account later."
          : "The account does not change. Only the work listed here moves to the colleague."
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={deactivates ? "danger" : "primary"}
            busy={busy}
            disabled={!deactivates && !colleague}
            onClick={send}
          >
            {!deactivates ? "Hand over" : colleague ? "Hand over and deactivate" : "Deactivate"}
          </Button>
        </>
      }
    >
      <ErrorAlert messages={messages} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">Work</dt>
        <dd>{work || "No clients, drafts, or returned forms"}</dd>
        {deactivates && (
          <>
            <dt className="text-muted">Sessions</dt>
            <dd>
              {holdings.sessions === 0
                ? "None"
                : `${counted(holdings.sessions, "device")}, will be signed out`}
            </dd>
          </>
        )}
      </dl>
      {work && (
        <div className="flex flex-col gap-1">
          <Select
            className="flex flex-col gap-1"
            label="Hand over to"
            placeholder={deactivates ? "-- No one --" : "-- Select --"}
            options={colleagues.map((person) => ({ value: person.id, label: person.name }))}
            value={colleagueId}
            onChange={setColleagueId}
          />
          <p role="status" className="text-muted text-sm">
            {colleague
              ? "Saved forms that were not returned keep their advocate. Forms in closed periods and work for clients hidden from the colleague are not handed over."
              : deactivates &&
                holdings.drafts > 0 &&
                "Drafts that are not handed over are deleted 7 days after their last change."}
          </p>
        </div>
      )}
    </Dialog>
  );
}
