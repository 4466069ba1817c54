"use client";

import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useListState } from "@/components/ui/table-query";
import { date } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import type { ReturnedForms as Returned } from "@/lib/forms/review/reviews";

/** Lists the user's returned forms without a response, each with the reviewer's comment. */
export function ReturnedForms({ forms: returned, waiting }: Omit<Returned, "total">) {
  const from = useListState();
  if (waiting === 0) return null;
  const forms = returned.filter(({ isAnswered }) => !isAnswered);
  return (
    <div className="mb-4">
      <Notice
        title={waiting === 1 ? "One form was returned to you" : `${waiting} forms were returned to you`}
      >
        {waiting > forms.length && <p>{`The ${forms.length} that have waited longest:`}</p>}
        <ul className="stack">
          {forms.map(({ id, client, formType, serviceOn, by, comment }) => (
            <li key={id}>
              <Link href={to("formsEdit", { id }) + from} className="link">
                {`${client.name} · ${formType} · ${date(serviceOn)}`}
              </Link>
              <p className="whitespace-pre-line wrap-anywhere">{comment}</p>
              {by && <p className="text-sm">{by}</p>}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
