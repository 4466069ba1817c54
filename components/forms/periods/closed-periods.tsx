"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCloseMonths } from "@/components/forms/periods/close-months";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { date, monthOf } from "@/lib/core/text/format";

/**
 * Closes and reopens months. Both ask for confirmation: closing, because nobody can finish the forms afterwards;
 * reopening, because others rely on closed forms.
 */
export function ClosedPeriods({ through, months }: { through: string | null; months: string[] }) {
  const router = useRouter();
  const notify = useNotify();
  const [choice, setChoice] = useState(through ?? "");
  const [asking, setAsking] = useState(false);
  const { messages, busy, run } = useFailure();
  const closing = useCloseMonths(router.refresh);
  const opens = through !== null && choice < through;

  function reopen() {
    setAsking(false);
    return run(async () => {
      await call("PUT /api/closed_periods", { body: { closedThrough: choice || null } });
      notify.success(choice ? `Forms through ${date(choice)} are closed` : "No months are closed");
      router.refresh();
    });
  }

  return (
    <Section
      title={through ? `Closed through ${date(through)}` : "No months are closed"}
      description="Forms and contacts dated in a closed month cannot be added, changed, or removed. Such forms cannot be reconciled or returned. Reopening months is recorded in the Audit Log."
    >
      <ErrorAlert messages={messages ?? closing.messages} />
      <div className="flex flex-wrap items-center gap-3">
        <Select
          label="Close through"
          placeholder="-- None --"
          options={months.map((day) => ({ value: day, label: `${monthOf(day)} (${date(day)})` }))}
          value={choice}
          onChange={setChoice}
        />
        <Button
          variant="primary"
          busy={busy || closing.busy}
          disabled={choice === (through ?? "")}
          onClick={() => (opens ? setAsking(true) : void closing.ask(choice))}
        >
          Save
        </Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reopen closed months?"
        description={`Forms ${choice ? `after ${date(choice)} ` : ""}through ${date(through)} can be changed again. This is recorded in the Audit Log.`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="danger" onClick={() => void reopen()}>
              Reopen
            </Button>
          </>
        }
      />
      {closing.dialog}
    </Section>
  );
}
