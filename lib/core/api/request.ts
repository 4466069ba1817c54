/**
 * The parts of a request that handlers read. A `Request` has them; our own server makes a simpler object in less time.
 */
export type ApiRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
};

/** A response; its body is JSON unless it is a stream. A `Response` is one, but takes longer to create. */
export type Reply = Pick<Response, "status" | "headers"> & { body: string | Response["body"] };
