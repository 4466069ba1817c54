"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { HideDialog } from "@/components/clients/restrictions/hide-dialog";
import { PossibleDuplicates } from "@/components/clients/restrictions/possible-duplicates";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { useRowFocus } from "@/components/ui/use-row-focus";
import type { PossibleDuplicates as Pair } from "@/lib/clients/duplicates";
import type { Involvement, Restriction } from "@/lib/clients/restrictions/schema";
import { losesWork } from "@/lib/clients/restrictions/words";
import { workWords } from "@/lib/clients/work";
import { fullName } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { date, markedName } from "@/lib/core/text/format";
import type { UserOption } from "@/lib/lookups/resources/schema";

/** The colleague whose work with the client is shown before the client is hidden. */
type Asking = { colleague: UserOption; involvement: Involvement };

/** Returns the acts on a client's restrictions, and their state. Calls `onSaved` after each. */
function useHiding(clientId: number, onSaved: () => void) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, setMessages, busy, run } = useFailure();
  /** The user whose restriction is being added or lifted. */
  const [acting, setActing] = useState(0);
  const [asking, setAsking] = useState<Asking | null>(null);
  const params = { id: clientId };

  function act(userId: number, work: () => Promise<void>) {
    // Two saves at once would each replace the other's list.
    if (busy) return;
    setActing(userId);
    void run(work);
  }

  /** Hides the client from the user, or lifts the restriction. Hands over first if there is a `successor`. */
  async function save(userId: number, isHidden: boolean, done: string, successor?: UserOption) {
    // Read again, because someone else may have changed the list since this page was opened, and PUT replaces it.
    const { restrictions } = await call("GET /api/clients/{id}/restrictions", { params });
    const formerUserIds = restrictions.map(({ user }) => user.id);
    const others = formerUserIds.filter((id) => id !== userId);
    const userIds = isHidden ? [...others, userId] : others;
    const handOver = successor && { fromUserId: userId, toUserId: successor.id };
    const { handedOver } = await call("PUT /api/clients/{id}/restrictions", {
      params,
      body: { userIds, formerUserIds, handOver },
    });
    notify.success([
      ...(successor && handedOver
        ? [`Handed over to ${successor.name}: ${workWords(handedOver) || "nothing"}`]
        : []),
      done,
    ]);
    setAsking(null);
    onSaved();
    router.refresh();
  }

  const hideFrom = ({ id, name }: UserOption, successor?: UserOption) =>
    save(id, true, `Hidden from ${name}`, successor);

  return {
    messages,
    setMessages,
    asking,
    hideFrom,
    stopAsking: () => setAsking(null),
    isActingOn: (userId: number) => busy && acting === userId,
    /** Hides the client. If the colleague would lose work, asks first. */
    hide: (colleague: UserOption) =>
      act(colleague.id, async () => {
        const { involvement } = await call("GET /api/clients/{id}/restrictions/{userId}", {
          params: { ...params, userId: colleague.id },
        });
        if (losesWork(involvement)) setAsking({ colleague, involvement });
        else await hideFrom(colleague);
      }),
    stopHiding: ({ user }: Restriction) =>
      act(user.id, () => save(user.id, false, `${fullName(user)} can see the client again`)),
  };
}

/** Shows possible duplicates of the client, then the colleagues who cannot see the client. */
export function HiddenFrom({
  clientId,
  restrictions,
  duplicates,
  colleagues,
  successors,
}: {
  clientId: number;
  restrictions: Restriction[];
  duplicates: Pair[];
  /** Users without a restriction on the client. */
  colleagues: UserOption[];
  /** Users who could take over the work with the client. */
  successors: UserOption[];
}) {
  const [chosenId, setChosenId] = useState("");
  const hiding = useHiding(clientId, () => setChosenId(""));
  const { asking } = hiding;
  const colleague = colleagues.find(({ id }) => String(id) === chosenId);
  const rowFocus = useRowFocus(restrictions, "li");

  return (
    <>
      {duplicates.length > 0 && <PossibleDuplicates pairs={duplicates} />}
      <Section
        title="Hidden from colleagues"
        className="print-hidden"
        description="The colleagues you choose cannot see this client or the client's forms and are not notified. Their reports omit both. Every change is recorded in the Audit Log."
      >
        <div {...rowFocus}>
          {restrictions.length === 0 ? (
            <p className="text-muted">Not hidden from anyone.</p>
          ) : (
            <ul className="divide-y divide-line">
              {restrictions.map((restriction) => (
                <RestrictionRow
                  key={restriction.user.id}
                  restriction={restriction}
                  busy={hiding.isActingOn(restriction.user.id)}
                  onStop={() => hiding.stopHiding(restriction)}
                />
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
              value={chosenId}
              onChange={setChosenId}
            />
            <Button
              busy={colleague !== undefined && hiding.isActingOn(colleague.id)}
              onClick={() =>
                colleague ? hiding.hide(colleague) : hiding.setMessages(["Choose a colleague"])
              }
            >
              Hide the client
            </Button>
          </div>
        )}
        <ErrorAlert messages={hiding.messages} />
      </Section>
      {asking && (
        <HideDialog
          name={asking.colleague.name}
          involvement={asking.involvement}
          successors={successors.filter(({ id }) => id !== asking.colleague.id)}
          onHide={(successor) => hiding.hideFrom(asking.colleague, successor)}
          onClose={hiding.stopAsking}
        />
      )}
    </>
  );
}

function RestrictionRow({
  restriction: { user, by, at },
  busy,
  onStop,
}: {
  restriction: Restriction;
  busy: boolean;
  onStop: () => void;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{markedName(fullName(user), user.active)}</p>
        <p className="text-muted text-sm">{`Since ${date(at)}${by ? `, by ${by}` : ""}`}</p>
      </div>
      <Button size="sm" busy={busy} aria-label={`Stop hiding from ${fullName(user)}`} onClick={onStop}>
        Stop hiding
      </Button>
    </li>
  );
}
