import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type ContactProblems, type ContactValues, contactBody } from "@/components/contacts/values";
import { useSending } from "@/components/ui/form-body";
import { ApiError, type BodyOf, messagesOf } from "@/lib/core/api/client";

const PREFIX = "contact.";

/** Returns the state of a contact's controls, and a function that sends it. */
export function useContactForm(initial: ContactValues) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<ContactProblems>({});
  const [messages, setMessages] = useState<string[]>([]);
  const { sending: busy, send: run } = useSending();
  const form = useRef<HTMLFormElement>(null);

  function refuse(problems: ContactProblems, messages: string[]) {
    // The fields are marked before the first of them is focused.
    flushSync(() => {
      setProblems(problems);
      setMessages(messages);
    });
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    invalid?.focus();
    // Typing replaces a refused number.
    if (invalid instanceof HTMLInputElement) invalid.select();
  }

  /** Sends the contact with `call`. Shows why it was refused, and returns the error. */
  async function send(call: (body: BodyOf<"POST /api/contacts">) => Promise<unknown>): Promise<unknown> {
    const body = contactBody(values);
    if ("problems" in body) {
      refuse(body.problems, []);
      return body.problems;
    }
    setProblems({});
    setMessages([]);
    try {
      await run(() => call(body));
      return null;
    } catch (error) {
      const byField = Object.entries(error instanceof ApiError ? error.fields : {}).map(([path, problem]) => [
        path.slice(PREFIX.length),
        problem,
      ]);
      const shown: ContactProblems = Object.fromEntries(
        byField.filter(([name]) => Object.hasOwn(values, name ?? "")),
      );
      refuse(shown, Object.keys(shown).length > 0 ? [] : messagesOf(error));
      return error;
    }
  }

  return {
    values,
    problems,
    messages,
    busy,
    form,
    setValues,
    setMessages,
    change(changed: Partial<ContactValues>) {
      setValues((before) => ({ ...before, ...changed }));
    },
    send,
  };
}
