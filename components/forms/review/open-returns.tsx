"use client";

import { Suspense } from "react";
import { Conversation } from "@/components/forms/lazy-conversation";
import { ClosedReturn } from "@/components/forms/periods/closed-return";
import { LinkButton } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { to } from "@/lib/core/pages";
import { date, whole } from "@/lib/core/text/format";
import { isClosed } from "@/lib/forms/periods/closed";
import type { OpenReturns as Returns } from "@/lib/forms/review/reviews";

/**
 * The client's forms that were returned to the user, each with its conversation. Users may think that they answered by
 * changing the client, but that does not end a return.
 */
export function OpenReturns({
  returns: { forms, waiting },
  clientId,
  userId,
  closed,
  from,
}: {
  returns: Returns;
  clientId: number;
  userId: number;
  /** The last closed day: forms through it take no reply. */
  closed: string | null;
  /** The query of links to the forms. */
  from: string;
}) {
  if (forms.length === 0) return null;
  const all = `${to("formsList")}?filters[returned]=true&filters[clientId]=${clientId}&filters[userId]=${userId}`;
  return (
    <>
      {waiting > forms.length && (
        <p>
          {`${whole(waiting)} forms of this client were returned to you. Shown, longest wait first: ${whole(forms.length)}. `}
          <Link href={all} className="link touch-link">
            All returned forms
          </Link>
        </p>
      )}
      <Suspense>
        {forms.map((form) => (
          <Conversation
            key={form.id}
            form={form}
            about={`${form.formType}, ${date(form.serviceOn)}`}
            mayReply={!isClosed(form.serviceOn, closed)}
          >
            <ClosedReturn serviceOn={form.serviceOn} />
            <LinkButton href={to("formsView", { id: form.id }) + from}>Open form</LinkButton>
          </Conversation>
        ))}
      </Suspense>
    </>
  );
}
