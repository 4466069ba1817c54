import { ApiError, isCode, type Options } from "@/lib/core/api/client";

/**
 * True if the server reported that nothing was done. Without a response, or after a 5xx, the outcome is unknown.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.status >= 400 && error.status < 500) || error.status === 500) &&
  error.code !== "conflict_busy";

/** Returns a random key. crypto.randomUUID is missing on pages served over plain http from another host. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

const isGone = (error: unknown): boolean => isCode(error, "not_found");

type SaveOptions = Options & { draftKey?: string };

type Calls<Body, Made> = {
  create: (body: Body, options: SaveOptions & { idempotencyKey: string }) => Promise<Made>;
  /** Updates the record that an earlier `create` returned. */
  update: (made: Made, body: Body, options: SaveOptions) => Promise<Made>;
};

/** A request with an unknown outcome: it may have created a record. */
export type OpenCreation<Body> = { body: Body; key: string };

/** Keeps the open request of a creation beyond the page, for screens that keep what was entered. */
type Keeping<Body> = {
  /** The request that an earlier page kept. */
  open: OpenCreation<Body> | null;
  /** Called before each new request, and with null as soon as its outcome is known. */
  keep: (open: OpenCreation<Body> | null) => void;
};

/**
 * Returns a function that creates one record and never a second one, despite repeated attempts and lost responses.
 * While the outcome of a request is unknown, the same body is sent again with the same Idempotency-Key. Before a
 * different body is sent, the earlier request is repeated, and the record it created is updated instead.
 */
export function creation<Body, Made>({ create, update }: Calls<Body, Made>, keeping?: Keeping<Body>) {
  type Open = OpenCreation<Body> & { text: string };
  const kept = keeping?.open;
  let open: Open | null = kept ? { ...kept, text: JSON.stringify(kept.body) } : null;
  const setOpen = (next: Open | null) => {
    open = next;
    keeping?.keep(next && { body: next.body, key: next.key });
  };

  /**
   * Awaits `call` and clears `open` when its outcome is known: it succeeded, or `isOver` accepts its error.
   */
  const settle = async (call: Promise<Made>, isOver: (error: unknown) => boolean): Promise<Made> => {
    try {
      const result = await call;
      setOpen(null);
      return result;
    } catch (error) {
      if (isOver(error)) setOpen(null);
      throw error;
    }
  };
  const post = ({ body, key }: Open, options: SaveOptions) =>
    create(body, { ...options, idempotencyKey: key });

  return async (body: Body, options: SaveOptions = {}): Promise<Made> => {
    const text = JSON.stringify(body);
    if (open && open.text !== text) {
      const earlier = await post(open, {}).catch((error) => {
        if (isRefusal(error)) return null;
        throw error;
      });
      if (earlier) return settle(update(earlier, body, options), isGone);
      setOpen(null);
    }
    const sent = open ?? { body, text, key: randomKey() };
    setOpen(sent);
    return settle(post(sent, options), isRefusal);
  };
}
