"use client";

import { type ReactNode, useState } from "react";
import type { Difference } from "@/components/record/differences";
import { Button } from "@/components/ui/controls";
import { FieldSet } from "@/components/ui/field";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";

type Side = "theirs" | "mine";

/**
 * Shows two versions of a record field by field. The user chooses one for each field that differs. `theirs` contains
 * the names of the fields whose value is taken from the other version.
 */
export function FieldChoices({
  found,
  theirs,
  onChange,
  words,
  shows,
  phone,
}: {
  found: readonly Difference[];
  theirs: ReadonlySet<string>;
  onChange: (theirs: ReadonlySet<string>) => void;
  /** The name of each side, and of the button that chooses all of its values. */
  words: Record<Side, { side: string; all: string }>;
  /** Shows each side's value, or its change. */
  shows: "text" | "change";
  /** The badge of a client's phone number, and what to do before numbers are shown. */
  phone?: { badge: ReactNode; reveal: () => Promise<unknown> };
}) {
  const [isShown, setIsShown] = useState(false);
  const { busy, run } = useAttempt(useNotify().error);
  function choose(name: string, takesTheirs: boolean) {
    const next = new Set(theirs);
    if (takesTheirs) next.add(name);
    else next.delete(name);
    onChange(next);
  }

  return (
    <>
      {found.length > 1 && (
        <div className="flex flex-wrap gap-3">
          <Button size="sm" onClick={() => onChange(new Set(found.map(({ name }) => name)))}>
            {words.theirs.all}
          </Button>
          <Button size="sm" onClick={() => onChange(new Set())}>
            {words.mine.all}
          </Button>
        </div>
      )}
      {found.map(({ name, section, label, ...sides }, at) => (
        <div key={name} className="border-line border-t pt-2">
          {section && section !== found[at - 1]?.section && (
            <h3 className="mb-1 font-semibold text-muted text-sm">{section}</h3>
          )}
          <FieldSet legend={label}>
            {(["theirs", "mine"] as const).map((side) => (
              <label key={side} className="flex min-h-control items-start gap-2.5 py-2">
                <input
                  type="radio"
                  className="check"
                  name={`conflict-${name}`}
                  checked={theirs.has(name) === (side === "theirs")}
                  onChange={() => choose(name, side === "theirs")}
                />
                <span className="min-w-0 sm:flex">
                  <span className="block flex-none text-muted sm:w-32">{words[side].side}</span>
                  <span className="min-w-0 whitespace-pre-wrap break-words">
                    {((!isShown && sides[side].masked) || sides[side])[shows] || "(blank)"}
                  </span>
                </span>
              </label>
            ))}
            {sides.mine.masked && phone && (
              <div className="flex flex-wrap items-center gap-2">
                {phone.badge}
                {!isShown && (
                  <Button
                    size="sm"
                    busy={busy}
                    onClick={() => void run(async () => phone.reveal().then(() => setIsShown(true)))}
                  >
                    Show phone numbers
                  </Button>
                )}
              </div>
            )}
          </FieldSet>
        </div>
      ))}
    </>
  );
}
