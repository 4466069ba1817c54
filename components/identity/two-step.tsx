"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { TwoStepSetUp, TwoStepState } from "@/lib/identity/api-schema";
import { RecoveryCodes } from "./recovery-codes";
import { EnterCode } from "./two-step-code";

type View =
  | { kind: "state" }
  | { kind: "set up"; made: TwoStepSetUp }
  | { kind: "new codes" }
  | { kind: "codes"; codes: string[] };

const STATE: View = { kind: "state" };

/**
 * The user's own two-step sign-in: set up, new recovery codes, turn off. `onward` is the page the user wanted, if the
 * missing setup blocks it.
 */
export function TwoStep({ state, onward = null }: { state: TwoStepState; onward?: string | null }) {
  const router = useRouter();
  const [view, setView] = useState<View>(STATE);
  const { messages, run } = useFailure();

  const setUp = () =>
    run(async () => {
      const { twoStep } = await call("POST /api/two_step");
      setView({ kind: "set up", made: twoStep });
    });
  const showCodes = (codes: string[]) => setView({ kind: "codes", codes });
  function finish() {
    // A full page load, because the current layout was rendered for a user without access to any page.
    if (onward) return window.location.assign(onward);
    setView(STATE);
    router.refresh();
  }

  return (
    <Section title="Two-step sign-in">
      {view.kind === "state" && (
        <>
          <ErrorAlert messages={messages} />
          {state.enabled ? (
            <Enabled
              state={state}
              onSetUp={setUp}
              onNewCodes={() => setView({ kind: "new codes" })}
              onOff={router.refresh}
            />
          ) : (
            <>
              <p>
                With two-step sign-in, you enter a code from an app on your phone after your password. Someone
                who knows only your password cannot sign in.
              </p>
              <Button variant={onward ? "primary" : "secondary"} className="self-start" onClick={setUp}>
                Set up two-step sign-in
              </Button>
            </>
          )}
          {state.enabled && onward && (
            <Button variant="primary" className="self-start" onClick={finish}>
              Continue
            </Button>
          )}
        </>
      )}
      {view.kind === "set up" && (
        <EnterCode action="Turn on" onCancel={() => setView(STATE)} onDone={showCodes}>
          <SetUp made={view.made} />
        </EnterCode>
      )}
      {view.kind === "new codes" && (
        <EnterCode
          action="Make new recovery codes"
          keepApp
          onCancel={() => setView(STATE)}
          onDone={showCodes}
        >
          <p>Your current recovery codes will no longer work.</p>
        </EnterCode>
      )}
      {view.kind === "codes" && (
        <RecoveryCodes codes={view.codes} next={onward ? "Continue" : "Done"} onDone={finish} />
      )}
    </Section>
  );
}

const inGroups = (secret: string) => secret.replace(/.{4}(?=.)/g, "$& ");

/** The secret for the authenticator app, as a QR code and as text. */
function SetUp({ made: { secret, qr } }: { made: TwoStepSetUp }) {
  return (
    <>
      <p>Open an authenticator app on your phone and scan this QR code. Many phones come with one.</p>
      {/* biome-ignore lint/performance/noImgElement: made for this page, nothing to optimize */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt="QR code for the authenticator app"
        className="size-56 max-w-full self-start rounded-lg bg-white"
      />
      <p>
        If you cannot scan it, enter this key in the app:{" "}
        <code className="wrap-anywhere font-semibold">{inGroups(secret)}</code>
      </p>
    </>
  );
}

function Enabled({
  state: { required, recoveryCodesLeft },
  onSetUp,
  onNewCodes,
  onOff,
}: {
  state: TwoStepState;
  onSetUp: () => void;
  onNewCodes: () => void;
  onOff: () => void;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p>
        <strong>On.</strong> Signing in requires a code from your authenticator app.{" "}
        {recoveryCodesLeft === 1 ? "1 recovery code is" : `${recoveryCodesLeft} recovery codes are`} left.
        {required && " Your role requires two-step sign-in."}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onNewCodes}>New recovery codes</Button>
        <Button onClick={onSetUp}>Use another app</Button>
        {!required && (
          <Button variant="danger" onClick={() => setAsking(true)}>
            Turn off
          </Button>
        )}
      </div>
      {asking && <SwitchOff onClose={() => setAsking(false)} onOff={onOff} />}
    </>
  );
}

function SwitchOff({ onClose, onOff }: { onClose: () => void; onOff: () => void }) {
  const notify = useNotify();
  const { messages, busy, run } = useFailure();

  const switchOff = () =>
    run(async () => {
      await call("DELETE /api/two_step");
      notify.success("Turned off two-step sign-in");
      onClose();
      onOff();
    });

  return (
    <Dialog
      open
      onClose={onClose}
      title="Turn off two-step sign-in"
      description="Your password alone will be enough to sign in. The recovery codes will no longer work."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={busy} onClick={switchOff}>
            Turn off
          </Button>
        </>
      }
    >
      <ErrorAlert messages={messages} />
    </Dialog>
  );
}
