"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/api/client";
import { capitalize } from "@/lib/fields/format";
import type { UserOption } from "@/lib/lookups/resources/schema";
import type { LookupValues } from "@/lib/lookups/schema";

/** What an administrator does with the account of somebody who leaves (contract §8 and §9), beside its fields. */
export function AccountActions({
  id,
  isOwn,
  status,
  values,
  twoStep,
  colleagues,
}: {
  id: number;
  /** Whether it is the account of whoever looks at it, which nobody deactivates themselves. */
  isOwn: boolean;
  /** `invited`, `active` or `deactivated`. */
  status: string;
  /** Whether two-step sign-in is on. */
  twoStep: boolean;
  /** The account's stored fields. */
  values: LookupValues;
  /** Who can take the work over. */
  colleagues: UserOption[];
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [acting, setActing] = useState("");
  const [toUserId, setToUserId] = useState("");
  const params = { id };
  const isActive = status !== "deactivated";

  function act(name: string, work: () => Promise<string>) {
    setActing(name);
    return run(async () => {
      notify.success(await work());
      router.refresh();
    });
  }

  const setActive = (active: boolean) =>
    act("active", async () => {
      await call("PUT /api/users/{id}", { params, body: { user: { ...values, active } } });
      return active ? "Brought back successfully" : "Deactivated successfully";
    });
  const endSessions = () =>
    act("sessions", async () => {
      await call("DELETE /api/users/{id}/sessions", { params });
      return "Ended all sessions successfully";
    });
  const resetTwoStep = () =>
    act("two-step", async () => {
      await call("DELETE /api/users/{id}/two_step", { params });
      return "Took two-step sign-in off successfully";
    });
  const handOver = () =>
    act("hand over", async () => {
      const body = { toUserId: Number(toUserId) };
      const { clients, drafts, returned } = await call("POST /api/users/{id}/hand_over", { params, body });
      return `Handed over: ${clients} clients, ${drafts} drafts, ${returned} returned forms`;
    });

  return (
    <section aria-labelledby="account-actions" className="card stack mt-6 max-w-3xl p-4 sm:p-5">
      <h2 id="account-actions" className="font-semibold text-lg">
        Account: {capitalize(status)}
      </h2>
      <ErrorAlert messages={messages} />
      <p className="text-muted">
        A deactivated account cannot sign in and gets no mail. Its clients and forms stay; handing over gives
        its clients, drafts and returned forms to a colleague.
      </p>
      <div className="flex flex-wrap gap-3">
        {!isOwn && (
          <Button
            variant={isActive ? "danger" : "primary"}
            busy={busy && acting === "active"}
            onClick={() => setActive(!isActive)}
          >
            {isActive ? "Deactivate" : "Bring back"}
          </Button>
        )}
        <Button busy={busy && acting === "sessions"} onClick={endSessions}>
          End sessions
        </Button>
      </div>
      <p>
        Two-step sign-in is {twoStep ? "on" : "off"}.
        {twoStep && " Reset it for somebody who has lost both the app and the recovery codes."}
      </p>
      {twoStep && (
        <Button className="self-start" busy={busy && acting === "two-step"} onClick={resetTwoStep}>
          Reset two-step sign-in
        </Button>
      )}
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Colleague"
          placeholder="-- Select --"
          options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
          value={toUserId}
          onChange={setToUserId}
        />
        <Button busy={busy && acting === "hand over"} disabled={toUserId === ""} onClick={handOver}>
          Hand over
        </Button>
      </div>
    </section>
  );
}
