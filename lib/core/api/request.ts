/** What handlers read of a request. A `Request` is one; our own server makes something simpler, in less time. */
export type ApiRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
};

/** An answer; its body is JSON unless it is a stream. A `Response` is one, but takes longer to make. */
export type Reply = Pick<Response, "status" | "headers"> & { body: string | Response["body"] };
