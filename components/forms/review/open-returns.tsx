"use client";

import { Suspense } from "react";
import { Conversation } from "@/components/forms/lazy-conversation";
import { LinkButton } from "@/components/ui/controls";
import { date } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import { isClosed } from "@/lib/forms/periods/closed";
import type { OpenReturn } from "@/lib/forms/review/reviews";

/**
 * The client's forms that were returned to the user, each with its conversation. Users may think that they answered by
 * changing the client, but that does not end a return.
 */
export function OpenReturns({
  returns,
  closed,
  from,
}: {
  returns: readonly OpenReturn[];
  /** The last closed day: forms through it take no reply. */
  closed: string | null;
  /** The query of links to the forms. */
  from: string;
}) {
  return (
    <Suspense>
      {returns.map((form) => (
        <Conversation
          key={form.id}
          form={form}
          about={`${form.formType}, ${date(form.serviceOn)}`}
          mayReply={!isClosed(form.serviceOn, closed)}
        >
          <LinkButton href={to("formsView", { id: form.id }) + from}>Open form</LinkButton>
        </Conversation>
      ))}
    </Suspense>
  );
}
