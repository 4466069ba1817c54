"use client";

import { useCallback, useState } from "react";
import { usePrinted } from "@/components/audit/use-printed";
import { Button } from "@/components/ui/controls";
import { PrintButton } from "@/components/ui/print-button";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";

/** A sheet to sign at the door. It has no last names: blank lines, or first names if the leader chooses so. */
export function SignInSheet({
  groupId,
  name,
  people,
  organization,
}: {
  groupId: number;
  name: string;
  /** The people on the roster by their first names. */
  people: NamedItem[];
  organization: string;
}) {
  const [hasNames, setHasNames] = useState(false);
  const lines = hasNames
    ? people.map((person) => person.name)
    : Array.from({ length: Math.max(people.length, 15) }, () => "");
  const report = useCallback(() => {
    const clientIds = hasNames ? people.map(({ id }) => id) : [];
    const options = { params: { id: groupId }, body: { clientIds }, keepalive: true };
    return call("POST /api/groups/{id}/printed", options);
  }, [hasNames, people, groupId]);
  usePrinted(report);
  return (
    <div className="stack">
      <div className="print-hidden flex flex-wrap items-center gap-3">
        <Button aria-pressed={!hasNames} onClick={() => setHasNames(false)}>
          Blank lines
        </Button>
        <Button aria-pressed={hasNames} onClick={() => setHasNames(true)}>
          First names
        </Button>
        <PrintButton />
      </div>
      <p className="print-hidden text-muted">
        {hasNames
          ? "Everyone who signs sees the first names of all. Last names are never on the sheet."
          : "The sheet names nobody. Keep a signed sheet like a record: it says who came."}
      </p>
      <article className="card p-4 print:border-0 print:p-0 sm:p-5">
        <p className="text-muted text-sm">{organization}</p>
        <h2 className="mb-2 font-semibold text-lg">{name}</h2>
        <p className="mb-4">Date: ____________________</p>
        <ol aria-label="Lines">
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike and never move
            <li key={at} className="flex h-10 items-end border-line border-b pb-1">
              {line}
            </li>
          ))}
        </ol>
      </article>
    </div>
  );
}
