"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { useRowFocus } from "@/components/ui/use-row-focus";
import { call } from "@/lib/api/client";
import { fullName, markedName } from "@/lib/auth/permissions";
import { date } from "@/lib/fields/format";
import type { UserOption } from "@/lib/lookups/resources/schema";
import type { Restriction } from "@/lib/restrictions/schema";

/** The colleagues for whom the client does not exist; one can be added, and each can be lifted. */
export function HiddenFrom({
  clientId,
  restrictions,
  colleagues,
}: {
  clientId: number;
  restrictions: Restriction[];
  /** From whom the client can be hidden yet. */
  colleagues: UserOption[];
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, setMessages, busy, run } = useFailure();
  const [chosen, setChosen] = useState("");
  /** The user whose restriction is being added or lifted. */
  const [acting, setActing] = useState(0);
  const rowFocus = useRowFocus(restrictions, "li");

  function change(userId: number, isHidden: boolean, done: string) {
    // Two at once would each replace the other's list.
    if (busy) return;
    setActing(userId);
    void run(async () => {
      const params = { id: clientId };
      // Read afresh, because somebody else may have changed the list since this page was opened, and PUT replaces it.
      const { restrictions } = await call("GET /api/clients/{id}/restrictions", { params });
      const formerUserIds = restrictions.map(({ user }) => user.id);
      const others = formerUserIds.filter((id) => id !== userId);
      const userIds = isHidden ? [...others, userId] : others;
      await call("PUT /api/clients/{id}/restrictions", { params, body: { userIds, formerUserIds } });
      notify.success(done);
      setChosen("");
      router.refresh();
    });
  }

  function hide() {
    const colleague = colleagues.find(({ id }) => String(id) === chosen);
    if (colleague) change(colleague.id, true, `Hidden from ${colleague.name}`);
    else setMessages(["Choose a colleague"]);
  }

  return (
    <Section
      title="Hidden from colleagues"
      className="print-hidden"
      description="Colleagues you choose here find no trace of the client or of the forms, and are not told that anything is hidden. Totals of reports still count both. Hiding and lifting are recorded."
    >
      <div {...rowFocus}>
        {restrictions.length === 0 ? (
          <p className="text-muted">The client is hidden from nobody.</p>
        ) : (
          <ul className="divide-y divide-line">
            {restrictions.map(({ user, by, at }) => (
              <li
                key={user.id}
                className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
              >
                <div className="min-w-0 wrap-anywhere">
                  <p className="font-medium">{markedName(fullName(user), user.active)}</p>
                  <p className="text-muted text-sm">{`Since ${date(at)}${by ? `, by ${by}` : ""}`}</p>
                </div>
                <Button
                  size="sm"
                  busy={busy && acting === user.id}
                  aria-label={`Lift for ${fullName(user)}`}
                  onClick={() => change(user.id, false, `${fullName(user)} can see the client again`)}
                >
                  Lift
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {colleagues.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <Select
            label="Colleague"
            placeholder="-- Select --"
            options={colleagues.map(({ id, name, active }) => ({
              value: id,
              label: markedName(name, active),
            }))}
            value={chosen}
            onChange={setChosen}
          />
          <Button busy={busy && String(acting) === chosen} onClick={hide}>
            Hide the client
          </Button>
        </div>
      )}
      <ErrorAlert messages={messages} />
    </Section>
  );
}
