"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { UndoIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useListState } from "@/components/ui/table-query";
import { to } from "@/lib/core/pages";
import { date } from "@/lib/core/text/format";
import type { ReturnedForms as Returned } from "@/lib/forms/review/reviews";

/**
 * Lists the user's returned forms without a response, each with the reviewer's comment on one line: the one that has waited
 * longest, and the others behind their count.
 */
export function ReturnedForms({ forms: returned, waiting }: Omit<Returned, "total">) {
  const from = useListState();
  const [showsAll, setShowsAll] = useState(false);
  if (waiting === 0) return null;
  const forms = returned.filter(({ isAnswered }) => !isAnswered);

  return (
    <section
      aria-label={waiting === 1 ? "One form was returned to you" : `${waiting} forms were returned to you`}
      className="print-hidden mb-4 rounded-xl border border-warning bg-warning-soft"
    >
      <ul>
        {forms.map(({ id, client, formType, serviceOn, by, comment }, at) => (
          <li
            key={id}
            hidden={at > 0 && !showsAll}
            className={`flex min-h-control items-center gap-2 px-4 py-1.5 ${at > 0 ? "border-line border-t" : ""}`}
          >
            <span className="text-warning">
              <UndoIcon />
            </span>
            <p
              className="min-w-0 flex-1 max-sm:line-clamp-3 max-sm:wrap-anywhere sm:truncate"
              title={[comment, by].filter(Boolean).join(" ")}
            >
              <strong className="font-semibold">Returned to you</strong>:{" "}
              <Link
                href={to("formsEdit", { id }) + from}
                className="link max-w-full truncate align-bottom -outline-offset-2"
              >
                {`${client.name} · ${formType} · ${date(serviceOn)}`}
              </Link>{" "}
              {comment} {by && <span className="text-muted text-sm">{by}</span>}
            </p>
            {at === 0 && forms.length > 1 && (
              <Button
                size="sm"
                variant="ghost"
                aria-expanded={showsAll}
                onClick={() => setShowsAll((now) => !now)}
              >
                {`${forms.length - 1} more`}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {showsAll && waiting > forms.length && (
        <p className="border-line border-t px-4 py-1.5 text-sm">{`These ${forms.length} of ${waiting} have waited longest.`}</p>
      )}
    </section>
  );
}
