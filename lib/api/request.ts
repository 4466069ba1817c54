/** What handlers read of a request. A `Request` is one; our own server makes something simpler, in less time. */
export type ApiRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
};

/** An answer: JSON to be sent with the head of `response`, or where there is none, `response` as it is. */
export type Reply = { response: Response; json?: string };
