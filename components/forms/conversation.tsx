"use client";

import { type ReactNode, type Ref, useImperativeHandle, useState } from "react";
import { dropReply, keepReply, UNSENT_REPLY, useUnsentReply } from "@/components/forms/review/unsent-replies";
import { ErrorAlert } from "@/components/ui/alert";
import { CommentBox } from "@/components/ui/comment-box";
import { Button } from "@/components/ui/controls";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useFailure } from "@/components/ui/use-failure";
import { fullName } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { counted, shortDateTimeOfDay } from "@/lib/core/text/format";
import type { Form, FormComment } from "@/lib/forms/api-schema";
import { COMMENTS_SHOWN } from "@/lib/forms/review/limits";

export type ConversationHandle = {
  /** True if a reply is typed but not sent. */
  isTyped: boolean;
  /**
   * Sends a typed reply, without a notification of its own, which would replace that of the save. Returns false if that
   * failed; the text then stays in the box.
   */
  send: () => Promise<boolean>;
};

/**
 * The comments of a reviewer and an advocate about a form, with a box for a reply. It is shown until the form is
 * reconciled; then the comments are in History. A typed reply stays until it is sent. `children` are next to the button.
 */
export function Conversation({
  form: { id, comments, returned, reconciled },
  earlier: notRead = 0,
  about,
  mayReply,
  children,
  ref,
}: {
  form: Pick<Form, "id" | "comments" | "returned" | "reconciled">;
  /** The number of comments before these. They are read when the user asks for them. */
  earlier?: number;
  /** The name of the form, on a page other than its own. */
  about?: string;
  mayReply: boolean;
  children?: ReactNode;
  ref?: Ref<ConversationHandle>;
}) {
  const notify = useNotify();
  const { text, key } = useUnsentReply(id);
  /** The comments sent from here, which the page may not have read yet. */
  const [sent, setSent] = useState<readonly FormComment[]>([]);
  const [showsAll, setShowsAll] = useState(false);
  const [first, setFirst] = useState<readonly FormComment[]>([]);
  const { messages, setMessages, busy, run } = useFailure();
  const isTyped = text.trim() !== "";

  const reply = async (): Promise<boolean> => {
    let isDone = false;
    await run(async () => {
      const { comment } = await call("POST /api/forms/{id}/comments", {
        params: { id },
        body: { text },
        idempotencyKey: key,
      });
      setSent((others) => [...others, comment]);
      // Text typed while the reply was being sent stays.
      dropReply(id, key);
      isDone = true;
    });
    return isDone;
  };
  useImperativeHandle(ref, () => ({ isTyped, send: async () => !isTyped || reply() }));

  const replyAlone = async () => {
    if (await reply()) notify.success("Reply sent");
  };

  const showAll = () =>
    run(async () => {
      if (notRead > 0) setFirst((await call("GET /api/forms/{id}", { params: { id } })).form.comments);
      setShowsAll(true);
    });

  const all = [...new Map([...first, ...comments, ...sent].map((one) => [one.id, one])).values()];
  if (all.length === 0 || (reconciled && !isTyped)) return null;
  const hidden = showsAll ? 0 : Math.max(0, all.length - COMMENTS_SHOWN);
  const earlier = hidden + (showsAll ? 0 : notRead);
  const title = returned
    ? `Returned by ${returned.by ? fullName(returned.by) : "a reviewer"}`
    : "Conversation";
  return (
    <div className="print-hidden not-in-[.stack]:mb-4">
      <Notice title={about ? `${title}: ${about}` : title}>
        {earlier > 0 && (
          <Button busy={busy} onClick={() => void showAll()}>
            {`Show ${counted(earlier, "earlier comment")}`}
          </Button>
        )}
        <ol className="stack">
          {all.slice(hidden).map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ol>
        {mayReply ? (
          <div className="stack">
            <ErrorAlert messages={messages} onDismiss={() => setMessages(null)} />
            <CommentBox
              label="Reply"
              rows={2}
              value={text}
              required={false}
              onChange={(reply) => keepReply(id, reply)}
            />
            <div className="flex flex-wrap items-center justify-end gap-3">
              {children}
              <Button busy={busy} onClick={() => void replyAlone()}>
                Reply
              </Button>
            </div>
          </div>
        ) : (
          children && <div className="stack items-start">{children}</div>
        )}
      </Notice>
      <UnsavedGuard unsaved={isTyped} description={UNSENT_REPLY} within={to("formsView", { id })} />
    </div>
  );
}

function Comment({ comment: { at, by, text } }: { comment: FormComment }) {
  return (
    <li>
      <p className="text-sm">
        <span className="font-medium">{by ? fullName(by) : "Removed account"}</span>{" "}
        <time dateTime={at}>{shortDateTimeOfDay(at)}</time>
      </p>
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
    </li>
  );
}
