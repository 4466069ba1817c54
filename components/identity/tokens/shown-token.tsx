"use client";

import { useId, useRef, useState } from "react";
import { Button } from "@/components/ui/controls";
import { copy } from "@/components/ui/copy";
import { Notice } from "@/components/ui/notice";

/** Shows a new token once: the server stores only its hash. */
export function ShownToken({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState("");

  async function copyIt() {
    input.current?.select();
    const copied = await copy(token);
    setOutcome(
      copied
        ? "Copied"
        : "Your browser did not allow copying. The token is selected: please copy it yourself.",
    );
  }

  return (
    <Notice title={`The token ${name} is shown only now`}>
      <label htmlFor={id}>Copy it into the program and protect it like a password.</label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          ref={input}
          // biome-ignore lint/a11y/noAutofocus: it is what the user has just asked for
          autoFocus
          readOnly
          className="control min-w-0 flex-1 font-mono text-sm"
          value={token}
          onFocus={(event) => event.target.select()}
        />
        <Button onClick={copyIt}>Copy</Button>
        <Button onClick={onClose}>Done</Button>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {outcome}
      </p>
    </Notice>
  );
}
