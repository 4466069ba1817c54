"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { type FieldValues, type Resolver, type UseFormProps, useForm } from "react-hook-form";
import { readConflict, useConflict } from "@/components/record/use-conflict";
import { useBackOfStep } from "@/components/shell/set-up-page";
import { useSending } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { ApiError, isCode, messagesOf } from "@/lib/core/api/client";

/** Returns the messages to show for an error, given those of the server. */
type Explain = (messages: string[], error: unknown) => string[] | Promise<string[]>;
const unchanged: Explain = (messages) => messages;

const namesFields = (error: unknown) => error instanceof ApiError && Object.keys(error.fields).length > 0;

type FormOptions<Values extends FieldValues, Output extends FieldValues> = {
  values: UseFormProps<Values>["defaultValues"];
  resolver: Resolver<Values, unknown, Output>;
  mode?: "onBlur" | "onSubmit";
  /** The name of the record in a body, which begins the paths of the server's problems. */
  entity?: string;
};

/** Returns a form, and a function that sends its values. */
export function useSentForm<Values extends FieldValues, Output extends FieldValues>({
  values,
  resolver,
  mode = "onBlur",
  entity,
}: FormOptions<Values, Output>) {
  const [messages, setMessages] = useState<string[]>([]);
  const { sending, send } = useSending();
  const form = useForm<Values, unknown, Output>({ mode, defaultValues: values, resolver });
  return {
    form,
    messages,
    setMessages,
    sending,
    /** Makes a call and returns its result. If it was refused, shows why and returns null. */
    async send<Result>(call: () => Promise<Result>, explain = unchanged): Promise<{ result: Result } | null> {
      setMessages([]);
      try {
        return { result: await send(call) };
      } catch (error) {
        setMessages(await explain(applyServerErrors(form, error, entity), error));
        return null;
      }
    },
  };
}

/**
 * Returns the form of a record, with everything that its screen does after a save: the way back, and the choice between
 * the typed values and those that someone else has saved. `stored` is the record as loaded; null for a new one.
 */
export function useRecordForm<Stored, Values extends FieldValues, Output extends FieldValues>({
  stored,
  back,
  resolver,
  ...options
}: Omit<FormOptions<Values, Output>, "resolver"> & {
  stored: Stored;
  /** Returns the checks of the typed values, given the record as this screen has loaded it. */
  resolver: (base: Stored) => Resolver<Values, unknown, Output>;
  /** The URL of the page that led here. A step of Set Up leads back to Set Up instead. */
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [base, setBase] = useState(stored);
  const { form, messages, setMessages, sending, send } = useSentForm<Values, Output>({
    ...options,
    resolver: resolver(base),
  });
  const [isOutdated, setOutdated] = useState(false);
  const { conflict, ...conflicts } = useConflict();
  const [leaving, startLeaving] = useTransition();
  const afterSave = useBackOfStep(back);

  /** Continues with these values on top of the stored record. */
  function rebase(values: Values, stored: NonNullable<Stored>) {
    form.reset(values, { keepDefaultValues: true });
    setBase(stored);
    setMessages([]);
    setOutdated(false);
  }

  /** Lets the user choose, like `compare`, for a screen that compares its values in another shape. */
  async function compareAs<Version extends object>(
    record: Parameters<typeof readConflict<NonNullable<Stored>, Version>>[0],
  ) {
    try {
      await conflicts.open(readConflict(record));
    } catch (error) {
      setMessages(messagesOf(error));
    }
  }

  return {
    form,
    messages,
    setMessages,
    /** The record as this screen has loaded it. */
    base,
    busy: sending || leaving,
    isOutdated,
    conflict,
    closeConflict: conflicts.close,
    /** Saves with a call and returns its result. If it was refused, shows why and returns null. */
    save<Result>(call: () => Promise<Result>, explain = unchanged) {
      setOutdated(false);
      return send(call, (messages, error) => {
        setOutdated(isCode(error, "conflict_version") && !namesFields(error));
        return explain(messages, error);
      });
    },
    /** Shows the message and leaves the page. The values are no longer unsaved. */
    leave(message: string | null, values?: Values) {
      form.reset(values ?? form.getValues());
      if (message !== null) notify.success(message);
      startLeaving(() => {
        router.push(afterSave);
        router.refresh();
      });
    },
    /** Lets the user choose between the values that someone else has saved and the typed ones. */
    compare: (record: Omit<Parameters<typeof readConflict<NonNullable<Stored>, Values>>[0], "use">) =>
      compareAs<Values>({ ...record, use: rebase }),
    compareAs,
    rebase,
  };
}
