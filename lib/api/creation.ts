import { ApiError, isCode, type Options } from "@/lib/api/client";

/** Whether the server has answered that nothing was done; without an answer, or from a server in trouble, nobody knows. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.status >= 400 && error.status < 500) || error.status === 500) &&
  error.code !== "conflict_busy";

const isGone = (error: unknown): boolean => isCode(error, "not_found");

type SaveOptions = Options & { draftKey?: string };

type Calls<Body, Made> = {
  create: (body: Body, options: SaveOptions & { idempotencyKey: string }) => Promise<Made>;
  /** Updates the record that an earlier `create` has answered with. */
  update: (made: Made, body: Body, options: SaveOptions) => Promise<Made>;
};

/**
 * A way to make one record, and never a second, however often it is tried and whatever becomes of the answers
 * (contract §4): while nobody knows what became of a body, the same body again keeps its Idempotency-Key; before
 * another body is sent, the earlier one is repeated, and the record that it has made is updated.
 */
export function creation<Body, Made>({ create, update }: Calls<Body, Made>) {
  type Open = { body: Body; text: string; key: string };
  /** What was sent and may have made a record that this screen does not know. */
  let open: Open | null = null;

  /** `call`, after which `open` is known to be done with: it succeeded, or `isOver` says so of its error. */
  const settled = async (call: Promise<Made>, isOver: (error: unknown) => boolean): Promise<Made> => {
    try {
      const answer = await call;
      open = null;
      return answer;
    } catch (error) {
      if (isOver(error)) open = null;
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
      if (earlier) return settled(update(earlier, body, options), isGone);
      open = null;
    }
    // randomUUID is missing where the page came over plain http from another host.
    open ??= { body, text, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    return settled(post(open, options), isRefusal);
  };
}
