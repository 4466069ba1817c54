"use client";

import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useListState } from "@/components/ui/table-query";
import { date } from "@/lib/fields/format";
import type { ReturnedForm } from "@/lib/review/data";

/** The user's own forms that were returned and not answered yet, each with the reviewer's comment. */
export function ReturnedForms({ forms }: { forms: ReturnedForm[] }) {
  const from = useListState();
  if (forms.length === 0) return null;
  return (
    <div className="mb-4">
      <Notice
        title={
          forms.length === 1 ? "One form was returned to you" : `${forms.length} forms were returned to you`
        }
      >
        <ul className="stack">
          {forms.map(({ id, client, formType, serviceOn, by, comment }) => (
            <li key={id}>
              <Link href={`/forms/${id}/edit${from}`} prefetch={false} className="link">
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
