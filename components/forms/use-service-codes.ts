"use client";

import { useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { call, messagesOf } from "@/lib/core/api/client";
import type { ServiceCode } from "@/lib/lookups/api-schema";

/** Returns the codes of the chosen form type. The codes of each type are read once. */
export function useServiceCodes(formTypeId: number | null, codes: ServiceCode[]) {
  const [offered, setOffered] = useState(codes);
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  /** The error text while the state is `failed`. */
  const failure = useRef<string[]>([]);
  const cache = useRef(new Map([[formTypeId, codes]]));
  const latest = useRef({ formTypeId, loaded: Promise.resolve(true) });

  /** Switches to the codes of another type; resolves as `loaded` does. */
  const load = useCallback((chosen: number | null): Promise<boolean> => {
    const request = { formTypeId: chosen, loaded: Promise.resolve(true) };
    const show = (codes: ServiceCode[], next: typeof state): boolean => {
      setOffered(codes);
      setState(next);
      return next === "ready";
    };
    latest.current = request;
    const known = chosen === null ? [] : cache.current.get(chosen);
    show(known ?? [], known ? "ready" : "loading");
    if (known || chosen === null) return request.loaded;

    const settle = (codes: ServiceCode[], next: typeof state) =>
      // Synchronous, because these codes decide which minutes a waiting save sends.
      latest.current === request ? flushSync(() => show(codes, next)) : latest.current.loaded;
    request.loaded = call("GET /api/resource_lists/service_codes/{formTypeId}", {
      params: { formTypeId: chosen },
    }).then(
      ({ serviceCodes }) => {
        cache.current.set(chosen, serviceCodes);
        return settle(serviceCodes, "ready");
      },
      (error) => {
        if (latest.current === request) failure.current = messagesOf(error);
        return settle([], "failed");
      },
    );
    return request.loaded;
  }, []);

  return {
    offered,
    state,
    /** Returns the error text of the last failed attempt. */
    failure: () => failure.current,
    load,
    retry: () => load(latest.current.formTypeId),
    /** All codes read so far, of any type. */
    known: () => [...cache.current.values()].flat(),
    /** Resolves to true if the codes of the chosen type could be loaded. */
    loaded: () => latest.current.loaded,
  };
}
