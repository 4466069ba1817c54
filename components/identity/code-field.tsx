"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { TextField } from "@/components/ui/text-fields";
import { USER_LABELS } from "@/lib/identity/words";

/**
 * The field for the second step's code. It takes the focus when it appears. `path` is its path in the form. With
 * `recovery`, the user can enter a recovery code instead, which needs another phone keyboard.
 */
export function CodeField({ path = "", recovery = false }: { path?: string; recovery?: boolean }) {
  const [byApp, setByApp] = useState(true);
  return (
    <>
      <TextField
        key={String(byApp)}
        name={`${path}otp`}
        label={byApp ? USER_LABELS.code : "Recovery Code"}
        hint={
          byApp
            ? "The current six-digit code in your authenticator app."
            : "One of the codes you saved when you set up two-step sign-in. Each code works once."
        }
        autoComplete={byApp ? "one-time-code" : "off"}
        inputMode={byApp ? "numeric" : "text"}
        required
        autoFocus
      />
      {recovery && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2.5 self-start"
          onClick={() => setByApp((before) => !before)}
        >
          {byApp ? "Use a recovery code" : "Use a code from the app"}
        </Button>
      )}
    </>
  );
}
