"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { whenProved } from "@/components/shell/session";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { loadable, useLoadable } from "@/components/ui/loadable";
import { setProve } from "@/lib/core/api/client";
import { signOnPath } from "@/lib/identity/sign-on/words";

// Loaded lazily: it needs the form library and the schemas, which most pages do not.
const askPassword = loadable(async () => (await import("./proof-password")).AskPassword);

/**
 * Rendered once in the signed-in layout. Shows a dialog for the password when a call needs a recent proof. In a session
 * of the single sign-on `signOn`, the user signs in there again.
 */
export function ProofDialog({ signOn }: { signOn: string | null }) {
  const [open, setOpen] = useState(false);
  const AskPassword = useLoadable(askPassword, open && signOn === null, () => close(false));
  const answer = useRef<(proven: boolean) => void>(() => {});

  useEffect(() => {
    setProve(() => {
      answer.current(false);
      setOpen(true);
      return new Promise((resolve) => {
        answer.current = resolve;
      });
    });
    return () => setProve(null);
  }, []);

  function close(proven: boolean) {
    setOpen(false);
    answer.current(proven);
  }

  if (!open) return null;
  if (signOn) return <AskingThere signOn={signOn} onClose={close} />;
  return AskPassword && <AskPassword onClose={close} />;
}

/** Opens a new tab, so that the values on this page stay. */
function AskingThere({ signOn, onClose }: { signOn: string; onClose: (proven: boolean) => void }) {
  const prove = useEffectEvent(() => onClose(true));
  useEffect(() => whenProved(prove), []);
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title="Confirm your identity"
      description={`This action is sensitive, so please sign in with ${signOn} again. It opens in a new tab. What you entered stays here.`}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button variant="primary" onClick={() => window.open(signOnPath("proof"), "_blank")}>
            Sign in with {signOn}
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
