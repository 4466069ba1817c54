"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { OffboardingDialog } from "@/components/settings/offboarding-dialog";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { useFailure } from "@/components/ui/use-failure";
import { type Work, workWords } from "@/lib/clients/work";
import { call } from "@/lib/core/api/client";
import { capitalize } from "@/lib/core/text/format";
import { type InvitationDelivery, invitationDone } from "@/lib/identity/invitation";
import type { UserOption } from "@/lib/lookups/resources/schema";

/** An administrator's actions on an account, other than editing its fields. */
export function AccountActions({
  id,
  name,
  email,
  isOwn,
  status,
  twoStep,
  holdings,
  colleagues,
  invitation,
}: {
  id: number;
  name: string;
  email: string;
  /** True for the actor's own account, which the actor cannot deactivate. */
  isOwn: boolean;
  /** `invited`, `active` or `deactivated`. */
  status: string;
  /** True if two-step sign-in is on. */
  twoStep: boolean;
  /** The work the user could hand over, and the number of their sessions. */
  holdings: Work & { sessions: number };
  /** Users who could take over. */
  colleagues: UserOption[];
  invitation: InvitationDelivery;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const [acting, setActing] = useState("");
  const [dialog, setDialog] = useState<"deactivate" | "hand over" | null>(null);
  const params = { id };
  const isActive = status !== "deactivated";

  function act(name: string, work: () => Promise<string[]>) {
    setActing(name);
    return run(async () => {
      notify.success(await work());
      router.refresh();
    });
  }

  const setActive = (active: boolean) => call("PUT /api/users/{id}/active", { params, body: { active } });
  const reactivate = () =>
    act("reactivate", async () => {
      const { user } = await setActive(true);
      return [
        `Reactivated ${name}`,
        ...(user?.status === "invited" ? [invitationDone(email, invitation)] : []),
      ];
    });
  const sendAgain = () =>
    act("invitation", async () => {
      await call("POST /api/users/{id}/reset_password", { params });
      return [invitationDone(email, invitation)];
    });
  const endSessions = () =>
    act("sessions", async () => {
      await call("DELETE /api/users/{id}/sessions", { params });
      return [`Signed ${name} out everywhere`];
    });
  const resetTwoStep = () =>
    act("two-step", async () => {
      await call("DELETE /api/users/{id}/two_step", { params });
      return ["Turned off two-step sign-in"];
    });

  return (
    <section aria-labelledby="account-actions" className="card stack mt-6 max-w-3xl p-4 sm:p-5">
      <h2 id="account-actions" className="font-semibold text-lg">
        Account: {capitalize(status)}
      </h2>
      <ErrorAlert messages={messages} />
      {status === "invited" && (
        <div className="flex flex-wrap items-center gap-3">
          <p>The invitation has not been used yet. Sending a new one invalidates the earlier link.</p>
          <Button busy={busy && acting === "invitation"} onClick={sendAgain}>
            Send again
          </Button>
        </div>
      )}
      <p className="text-muted">
        A deactivated user cannot sign in and receives no email. The user's clients and forms stay. Handing
        over transfers the clients, drafts, and returned forms to a colleague.
      </p>
      <div className="flex flex-wrap gap-3">
        {!isOwn && isActive && (
          <Button className="text-danger" onClick={() => setDialog("deactivate")}>
            Deactivate
          </Button>
        )}
        {!isOwn && !isActive && (
          <Button variant="primary" busy={busy && acting === "reactivate"} onClick={reactivate}>
            Reactivate
          </Button>
        )}
        {workWords(holdings) && <Button onClick={() => setDialog("hand over")}>Hand over</Button>}
        <Button busy={busy && acting === "sessions"} onClick={endSessions}>
          End sessions
        </Button>
      </div>
      <p>
        Two-step sign-in is {twoStep ? "on" : "off"}.
        {twoStep && " Reset it if the user has lost both the app and the recovery codes."}
      </p>
      {twoStep && (
        <Button className="self-start" busy={busy && acting === "two-step"} onClick={resetTwoStep}>
          Reset two-step sign-in
        </Button>
      )}
      {dialog && (
        <OffboardingDialog
          id={id}
          name={name}
          deactivates={dialog === "deactivate"}
          holdings={holdings}
          colleagues={colleagues}
          deactivate={() => setActive(false)}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}
