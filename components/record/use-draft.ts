"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { beforeSignOut } from "@/components/accounts/session-store";
import { ApiError, call } from "@/lib/api/client";
import type { DraftInput } from "@/lib/drafts/schema";
import { type Autosave, type AutosaveState, createAutosave } from "./autosave";

/** What a browser still sends for a page that is gone, less some room for the envelope. */
const KEEPALIVE_BYTES = 60_000;

type Options = {
  /** The draft's name (`draftParams`); another one starts anew. */
  key: string;
  /** The form that is edited; null for a new one. */
  formId: number | null;
  getValues: () => DraftInput["content"];
  isDirty: () => boolean;
};

type UseDraft = {
  state: AutosaveState;
  /** To be called at every change. */
  schedule: () => void;
  /**
   * Runs the form's own save: the draft is brought up to date before it and not written during it, so that none
   * comes back once the server has dropped it. The save carries the key (`draftKey` of `call`).
   */
  hold: <T>(save: () => Promise<T>) => Promise<T>;
};

/**
 * Keeps the unsaved values of a form as a draft on the server (issue: never a lost word). Says how it went only
 * through `state`; while the server cannot be reached it tries again.
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

/** An ended session must not take the screen away while someone types. */
const stay = () => {};

/** No answer, an ended session, too many requests, a server in trouble: all may be over soon. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status < 400 || [401, 409, 429].includes(error.status) || error.status >= 500);
