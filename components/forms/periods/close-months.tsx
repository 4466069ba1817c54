"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { ResponseOf } from "@/lib/core/api/endpoint";
import { to } from "@/lib/core/pages";
import { counted, date, whole } from "@/lib/core/text/format";
import type { Endpoints } from "@/lib/endpoints";

type OpenWork = ResponseOf<Endpoints["GET /api/closed_periods/open_work"]>["openWork"];

/** Returns the dialog that asks before months are closed, and `ask`, which counts what is unfinished in them and opens it. */
export function useCloseMonths(onClosed: () => void) {
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [asking, setAsking] = useState<{ through: string; openWork: OpenWork } | null>(null);

  const ask = (through: string) =>
    run(async () => {
      const { openWork } = await call("GET /api/closed_periods/open_work", { query: { through } });
      setAsking({ through, openWork });
    });

  function close(through: string) {
    setAsking(null);
    return run(async () => {
      // Someone may have closed more months since this page was loaded. Those must not be reopened.
      const { closedThrough } = await call("GET /api/closed_periods");
      if (closedThrough === null || closedThrough < through)
        await call("PUT /api/closed_periods", { body: { closedThrough: through } });
      notify.success(`Forms through ${date(through)} are closed`);
      onClosed();
    });
  }

  const dialog = (
    <Dialog
      open={asking !== null}
      onClose={() => setAsking(null)}
      title={asking ? `Close through ${date(asking.through)}?` : ""}
      description="After that, forms and contacts of these days cannot be added, changed, or removed, and nights in shelter stay as they are. Forms cannot be reconciled or returned."
      footer={
        <>
          <Button onClick={() => setAsking(null)}>Cancel</Button>
          <Button variant="primary" onClick={() => asking && void close(asking.through)}>
            Close months
          </Button>
        </>
      }
    >
      {asking && <Unfinished {...asking} />}
    </Dialog>
  );
  return { messages, busy, ask, dialog };
}

function Unfinished({ through, openWork }: { through: string; openWork: OpenWork }) {
  const { from, userId, unreconciled, returned, drafts, ownDrafts, gaps } = openWork;
  const asked = new URLSearchParams({ from, to: through, ...(userId && { userId: String(userId) }) });
  const forms = (status: string) =>
    `${to("formsList")}?filters[formStatus]=${status}&filters[from]=${from}&filters[to]=${through}`;
  const openGaps = (gaps ?? []).filter(({ count }) => count !== 0);
  if (unreconciled + returned + drafts + openGaps.length === 0)
    return (
      <p>{`Everything from ${date(from)} through ${date(through)} is finished, as far as you can see the records.`}</p>
    );
  return (
    <>
      <p>{`Not finished from ${date(from)} through ${date(through)}, as far as you can see the records:`}</p>
      <ul className="link-list list-disc space-y-1 pl-5">
        {unreconciled > 0 && (
          <li>
            <a className="link" href={forms("unreconciled")} target="_blank" rel="noreferrer">
              {counted(unreconciled, "unreconciled form")}
            </a>
          </li>
        )}
        {returned > 0 && (
          <li>
            <a
              className="link"
              href={`${forms("all")}&filters[returned]=true`}
              target="_blank"
              rel="noreferrer"
            >
              {counted(returned, "returned form")}
            </a>
          </li>
        )}
        {drafts > 0 && (
          <li>
            {counted(drafts, "unsaved draft")}
            {ownDrafts > 0 && (
              <>
                {", "}
                <a className="link" href={to("home")} target="_blank" rel="noreferrer">
                  {ownDrafts === drafts ? "on your Home" : `${whole(ownDrafts)} of them on your Home`}
                </a>
              </>
            )}
            {ownDrafts < drafts && ". Only their authors can open the others."}
          </li>
        )}
        {openGaps.map(({ report, title, count }) => (
          <li key={report}>
            <a
              className="link"
              href={`${to("reportsShow", { report })}?${asked}#gaps`}
              target="_blank"
              rel="noreferrer"
            >
              {count === null ? "Gaps" : `${whole(count)} ${count === 1 ? "kind" : "kinds"} of gaps`} in{" "}
              {title}
            </a>
            {count === null && ": counting takes too long"}
          </li>
        ))}
      </ul>
    </>
  );
}
