"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { LineForm } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { LISTED_DAYS } from "@/lib/retention/limits";
import type { Retention } from "@/lib/retention/schema";

/** Sets the years without activity after which clients are due, and whether they are purged every night. */
export function RetentionSetting({ retention }: { retention: Retention }) {
  const router = useRouter();
  const notify = useNotify();
  const yearsId = useId();
  const nightlyId = useId();
  const [years, setYears] = useState(String(retention.years ?? ""));
  const [nightly, setNightly] = useState(retention.nightly);
  const { messages, setMessages, busy, run } = useFailure();

  function save() {
    const typed = years.trim() === "" ? null : Number(years);
    // JSON has no NaN: it would be sent as null, which means never.
    if (Number.isNaN(typed)) return setMessages(["Years without activity must be a number"]);
    return run(async () => {
      await call("PUT /api/retention", { body: { retention: { years: typed, nightly } } });
      notify.success("Updated retention successfully");
      router.refresh();
    });
  }

  return (
    <Section
      title="Retention period"
      description="A client is due for purging after this many years without a saved change or a service. A purge removes names, addresses, free text, dates of birth, drafts, and their traces in the history. The numbers in reports stay the same."
    >
      <ErrorAlert messages={messages} />
      <LineForm busy={busy} onSubmit={() => void save()}>
        <div>
          <label htmlFor={yearsId} className="mb-1 block font-medium text-sm">
            Years without activity
          </label>
          <input
            id={yearsId}
            inputMode="numeric"
            autoComplete="off"
            placeholder="Never"
            className="control max-w-40"
            value={years}
            onChange={({ target }) => setYears(target.value)}
          />
        </div>
        <label htmlFor={nightlyId} className="flex min-h-control items-center gap-2">
          <input
            id={nightlyId}
            type="checkbox"
            className="check"
            checked={nightly}
            onChange={({ target }) => setNightly(target.checked)}
          />
          Every night, purge clients who have been due for {LISTED_DAYS} days
        </label>
        <Button type="submit" variant="primary" busy={busy}>
          Save
        </Button>
      </LineForm>
    </Section>
  );
}
