"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { beforeSignOut } from "@/components/shell/session";
import { ApiError, call, isCode } from "@/lib/core/api/client";
import { isRefusal, randomKey } from "@/lib/core/api/creation";
import type { Draft, DraftInput } from "@/lib/forms/drafts/schema";
import { type Autosave, type AutosaveState, createAutosave } from "./autosave";

/** The largest request that browsers still send for a closed page, minus space for the envelope. */
const KEEPALIVE_BYTES = 60_000;

type Options = {
  /** The user who types. */
  userId: number;
  /** The draft that the page continues. */
  draft: Draft | null;
  /** Returns the key (`draftParams`) of another draft. */
  newKey: () => string;
  /** The form being edited; null for a new one. */
  formId: number | null;
  getValues: () => DraftInput["content"];
  isDirty: () => boolean;
};

type UseDraft = {
  state: AutosaveState;
  /** Returns the key of the draft that this page stores. */
  key: () => string;
  /** True if the draft was saved, changed, or discarded elsewhere. This page then stores another one. */
  isElsewhere: boolean;
  /** Saves the latest values and returns `isElsewhere` as of then. */
  check: () => Promise<boolean>;
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
export function useDraft({ userId, draft, newKey, formId, getValues, isDirty }: Options): UseDraft {
  const [state, setState] = useState<AutosaveState>("idle");
  const [isElsewhere, setElsewhere] = useState(false);
  const latest = useRef({ newKey, formId, getValues, isDirty });
  const autosave = useRef<Autosave | null>(null);
  // The words on this page are this user's, even if another one has signed in since.
  const [page] = useState(() => ({ userId, id: randomKey() }));
  const [target] = useState(() => ({
    key: draft?.key ?? newKey(),
    updatedAt: draft?.updatedAt ?? null,
    /** True if this page has stored the draft. */
    isStored: false,
    isElsewhere: false,
  }));

  useEffect(() => {
    latest.current = { newKey, formId, getValues, isDirty };
  });

  useEffect(() => {
    const current = createAutosave({
      isDirty: () => latest.current.isDirty(),
      save: async (leaving, signal) => {
        const { formId, getValues } = latest.current;
        const sender = { ...page, updatedAt: target.updatedAt };
        const body = { draft: { formId, content: getValues(), page: sender } };
        const keepalive = leaving && new Blob([JSON.stringify(body)]).size <= KEEPALIVE_BYTES;
        try {
          const { draft } = await call("PUT /api/drafts/{key}", {
            params: { key: target.key },
            body,
            signal,
            keepalive,
            onUnauthorized: stay,
          });
          Object.assign(target, { updatedAt: draft.updatedAt, isStored: true });
        } catch (error) {
          if (isCode(error, "conflict_version")) {
            const key = latest.current.newKey();
            Object.assign(target, { key, updatedAt: null, isStored: false, isElsewhere: true });
            setElsewhere(true);
          }
          throw error;
        }
      },
      isPassing,
      onState: setState,
    });
    autosave.current = current;

    const onHidden = () => document.visibilityState === "hidden" && current.leave();
    document.addEventListener("visibilitychange", onHidden);
    window.addEventListener("pagehide", current.leave);
    window.addEventListener("online", current.retry);
    const forget = beforeSignOut(current.flush);
    return () => {
      forget();
      document.removeEventListener("visibilitychange", onHidden);
      window.removeEventListener("pagehide", current.leave);
      window.removeEventListener("online", current.retry);
      current.leave();
    };
  }, [page, target]);

  return {
    state,
    isElsewhere,
    key: () => target.key,
    check: async () => {
      // Without a stored draft, there is nothing to compare.
      if (target.updatedAt !== null) autosave.current?.schedule();
      await autosave.current?.flush();
      return target.isElsewhere;
    },
    schedule: useCallback(() => autosave.current?.schedule(), []),
    hold: async (save) => {
      try {
        const result = await (autosave.current?.hold(save) ?? save());
        target.updatedAt = null;
        return result;
      } catch (error) {
        // The server may have saved the form and deleted this page's draft.
        if (target.isStored && !isRefusal(error)) target.updatedAt = null;
        throw error;
      }
    },
  };
}

/** An expired session must not replace the page while the user is typing. */
const stay = () => {};

/** No response, an expired session, too many requests and 5xx may all be temporary. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status < 400 || [401, 409, 429].includes(error.status) || error.status >= 500);
