"use client";

import { useRouter } from "next/navigation";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { type ReturnedForm, UNSENT_COMMENT, useReturn } from "@/components/forms/review/use-return";
import { ErrorAlert } from "@/components/ui/alert";
import { StatusBadge } from "@/components/ui/badge";
import { CommentBox } from "@/components/ui/comment-box";
import { Button, LinkButton } from "@/components/ui/controls";
import { CheckIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { useShortcut } from "@/components/ui/shortcuts";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAttempt } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { to } from "@/lib/core/pages";
import { counted } from "@/lib/core/text/format";
import { reconciledBadge } from "@/lib/forms/words";
import { useReconcile } from "./use-reconcile";

/** A form of the page: how it is named and read, and its state. */
export type BatchForm = {
  id: number;
  lockVersion: number;
  client: NamedItem;
  /** Client, type and date. */
  title: string;
  advocate: string;
  reconciled: boolean;
  /** The number of missing answers that funders ask for. */
  missing: number;
  mayReturn: boolean;
  /** The reason why the form is not reconciled with the others, or "". */
  refusal: string;
  /** The group session that wrote the form, or null. */
  session: { id: number; name: string } | null;
  reading: ReactNode;
};

/** Undefined: as it was loaded. `open`: its comment is being written. Otherwise the comment it was returned with. */
type State = { open: boolean; comment: string } | undefined;

/**
 * Forms to read below each other. Each can be returned in place. One button reconciles the others, in the versions shown.
 * A form whose comment is being written is not one of them. Leads to the forms that follow, and back to the list once no
 * form is left.
 */
export function ReviewBatch({
  forms,
  later,
  from,
  back,
}: {
  forms: readonly BatchForm[];
  /** The ids of the forms that follow on the next page. */
  later: readonly number[];
  from: string;
  back: string;
}) {
  const router = useRouter();
  const { busy, run } = useAttempt(useNotify().error);
  const { reconcileMany } = useReconcile();
  const [states, setStates] = useState<ReadonlyMap<number, State>>(new Map());
  const setState = (id: number, state: State) => setStates((all) => new Map(all).set(id, state));
  const others = forms.filter(({ id, reconciled, refusal }) => !reconciled && !refusal && !states.get(id));

  const ofSession = (id: number) => forms.filter(({ session }) => session?.id === id);
  const openIn = (id: number) => others.filter(({ session }) => session?.id === id);
  const firstOpen = others.find(({ session }) => session)?.session ?? null;

  const pageOf = (ids: readonly number[]) =>
    `${to("formsReview")}${from ? `${from}&` : "?"}ids=${ids.join(",")}`;

  const reconcile = (chosen: readonly BatchForm[] = others) =>
    run(async () => {
      const refused = await reconcileMany(chosen, true);
      const isLeft = ({ id }: BatchForm) =>
        refused.includes(id) ||
        states.get(id)?.open ||
        others.some((form) => form.id === id && !chosen.includes(form));
      const left = forms.filter(isLeft).map(({ id }) => id);
      const ids = [...left, ...later];
      if (ids.length === 0) router.push(back);
      else router.replace(pageOf(ids));
    });

  useShortcut(
    "s",
    "Reconcile the first group session",
    () => {
      if (firstOpen) void reconcile(openIn(firstOpen.id));
    },
    firstOpen !== null,
  );

  return (
    <div className="stack">
      {forms.map((form, index) => (
        <Fragment key={form.id}>
          {form.session && ofSession(form.session.id)[0] === form && (
            <SessionHead
              name={form.session.name}
              forms={ofSession(form.session.id).length}
              open={openIn(form.session.id).length}
              busy={busy}
              onReconcile={() => form.session && void reconcile(openIn(form.session.id))}
            />
          )}
          <article className="card p-4 sm:p-5" aria-labelledby={`form-${form.id}`}>
            <FormInBatch
              form={form}
              position={`${index + 1} of ${forms.length + later.length}`}
              from={from}
              state={states.get(form.id)}
              onState={(state) => setState(form.id, state)}
            />
          </article>
        </Fragment>
      ))}
      <div className="form-actions">
        <LinkButton href={back}>Back</LinkButton>
        {later.length > 0 && <LinkButton href={pageOf(later)}>Next forms</LinkButton>}
        {others.length > 0 && (
          <Button variant="primary" icon={<CheckIcon />} busy={busy} onClick={() => void reconcile()}>
            {others.length === forms.length
              ? `Reconcile ${counted(others.length, "form")}`
              : `Reconcile the other ${others.length === 1 ? "form" : others.length}`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Stands above the forms of a group session, which one button reconciles together. */
function SessionHead({
  name,
  forms,
  open,
  busy,
  onReconcile,
}: {
  name: string;
  forms: number;
  open: number;
  busy: boolean;
  onReconcile: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 pt-2">
      <p className="font-semibold">{`${name} · ${counted(forms, "form")}`}</p>
      {open > 0 && (
        <Button icon={<CheckIcon />} busy={busy} onClick={onReconcile}>
          {`Reconcile this session (${open})`}
        </Button>
      )}
    </div>
  );
}

function FormInBatch({
  form: { id, lockVersion, title, advocate, reconciled, missing, mayReturn, refusal, reading },
  position,
  from,
  state,
  onState,
}: {
  form: BatchForm;
  /** The place among the forms of the page: `1 of 20`. */
  position: string;
  from: string;
  state: State;
  onState: (state: State) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isWriting = state?.open === true;
  const wasWriting = useRef(false);
  // The pressed button is removed together with the comment box.
  useEffect(() => {
    if (wasWriting.current && !isWriting) heading.current?.querySelector("a")?.focus();
    wasWriting.current = isWriting;
  }, [isWriting]);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 ref={heading} id={`form-${id}`} className="min-w-0 wrap-anywhere">
          <Link href={to("formsView", { id }) + from} className="link touch-link font-semibold text-lg">
            {title}
          </Link>{" "}
          <span className="block text-muted text-sm">
            {[`Form ${id}`, advocate, position].join(" · ")}
            {missing > 0 && (
              <>
                {" · "}
                <span className="font-medium text-warning">{counted(missing, "missing answer")}</span>
              </>
            )}
          </span>
        </h2>
        {reconciled && <StatusBadge badge={reconciledBadge(true)} />}
        {mayReturn && !state && (
          <Button size="sm" onClick={() => onState({ open: true, comment: "" })}>
            <span>
              Return<span className="sr-only">{` form ${id}…`}</span>
            </span>
          </Button>
        )}
      </div>
      {refusal && <p className="text-muted">{refusal}</p>}
      {state && !isWriting ? (
        <p className="wrap-anywhere whitespace-pre-line">{`Returned to ${advocate}: ${state.comment}`}</p>
      ) : (
        <>
          {isWriting && (
            <ReturnInPlace
              form={{ id, lockVersion, advocate }}
              onReturned={(comment) => onState({ open: false, comment })}
              onCancel={() => onState(undefined)}
            />
          )}
          {reading}
        </>
      )}
    </>
  );
}

function ReturnInPlace({
  form,
  onReturned,
  onCancel,
}: {
  form: ReturnedForm;
  onReturned: (comment: string) => void;
  onCancel: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { comment, setComment, messages, busy, giveBack } = useReturn(form, onReturned);
  useEffect(() => box.current?.querySelector("textarea")?.focus(), []);
  return (
    <div ref={box} className="stack my-3 rounded-lg border border-transparent bg-subtle p-3">
      <ErrorAlert messages={messages} />
      <CommentBox
        label={`Comment for ${form.advocate} on form ${form.id}`}
        rows={2}
        value={comment}
        onChange={setComment}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" busy={busy} onClick={giveBack}>
          Return
        </Button>
      </div>
      <UnsavedGuard unsaved={comment.trim() !== ""} description={UNSENT_COMMENT} />
    </div>
  );
}
