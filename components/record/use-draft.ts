"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { beforeSignOut } from "@/components/shell/session";
import { ApiError, call } from "@/lib/core/api/client";
import type { DraftInput } from "@/lib/forms/drafts/schema";
import { type Autosave, type AutosaveState, createAutosave } from "./autosave";

/** The largest request that browsers still send for a closed page, minus space for the envelope. */
const KEEPALIVE_BYTES = 60_000;

type Options = {
  /** The draft's key (`draftParams`); another key starts a new draft. */
  key: string;
  /** The form being edited; null for a new one. */
  formId: number | null;
  getValues: () => DraftInput["content"];
  isDirty: () => boolean;
};

type UseDraft = {
  state: AutosaveState;
  /** Call this on every change. */
  schedule: () => void;
  /**
   * Runs the form's own save. The draft is saved before it and not written during it. So the draft does not come back
   * after the server has deleted it. The save sends the key (`draftKey` of `call`).
   */
  hold: <T>(save: () => Promise<T>) => Promise<T>;
};

/**
 * Saves the unsaved values of a form as a draft on the server. It reports only through `state`, and retries while the
 * server is unreachable.
 */
export function useDraft({ key, formId, getValues, isDirty }: Options): UseDraft {
  const [state, setState] = useState<AutosaveState>("idle");
  const latest = useRef({ formId, getValues, isDirty });
  const autosave = useRef<Autosave | null>(null);

  useEffect(() => {
    latest.current = { formId, getValues, isDirty };
  });

  useEffect(() => {
    const current = createAutosave({
      isDirty: () => latest.current.isDirty(),
      save: async (leaving, signal) => {
        const body = { draft: { formId: latest.current.formId, content: latest.current.getValues() } };
        const keepalive = leaving && new Blob([JSON.stringify(body)]).size <= KEEPALIVE_BYTES;
        await call("PUT /api/drafts/{key}", {
          params: { key },
          body,
          signal,
          keepalive,
          onUnauthorized: stay,
        });
      },
      isPassing,
      onState: setState,
    });
    autosave.current = current;
    setState("idle");

    const onHidden = () => document.visibilityState === "hidden" && current.leave();
    document.addEventListener("visibilitychange", onHidden);
    window.addEventListener("pagehide", current.leave);
    const forget = beforeSignOut(current.flush);
    return () => {
      forget();
      document.removeEventListener("visibilitychange", onHidden);
      window.removeEventListener("pagehide", current.leave);
      current.leave();
    };
  }, [key]);

  return {
    state,
    schedule: useCallback(() => autosave.current?.schedule(), []),
    hold: useCallback((save) => autosave.current?.hold(save) ?? save(), []),
  };
}

/** An expired session must not replace the page while the user is typing. */
const stay = () => {};

/** No response, an expired session, too many requests and 5xx may all be temporary. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status < 400 || [401, 409, 429].includes(error.status) || error.status >= 500);
