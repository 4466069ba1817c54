import { connect, type Socket } from "node:net";

// A persistent HTTP/1.1 connection, handled by hand. On two cores, every millisecond of the measuring program is taken
// from the measured ones, and Node's own client costs four times as much as this.

export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Answer {
  status: number;
  /** Milliseconds from the first byte sent to the last one received. */
  milliseconds: number;
  text(): string;
  /** The cookies that the response sets, in the form of a request header. */
  cookies(): string;
}

/** A server on this machine. */
export interface Target {
  port: number;
  cookie?: string;
}

export class Connection {
  readonly #target: Target;
  #socket: Socket | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Sends a request and waits for its whole response; one at a time. Rejects if the connection ends before that. */
  async send(call: Call): Promise<Answer> {
    const socket = await this.#open();
    const bytes = this.#encode(call);
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const reader = new Reader();
      const settle = (settled: () => void) => {
        socket.off("data", take).off("close", lost).off("error", lost);
        settled();
      };
      const lost = () => settle(() => reject(new Error(`${call.path}: the connection ended`)));
      const take = (chunk: Buffer) => {
        chunks.push(chunk);
        if (!reader.isWhole(chunks)) return;
        const milliseconds = performance.now() - start;
        const { status } = reader;
        const text = () => reader.body(chunks);
        settle(() => resolve({ status, milliseconds, text, cookies: () => reader.cookies() }));
      };
      socket.on("data", take).on("close", lost).on("error", lost);
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const socket = connect(this.#target.port, "127.0.0.1");
    // The server closes connections that are idle for long; the next request opens another.
    socket.setNoDelay(true).on("error", () => {});
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    this.#socket = socket;
    return socket;
  }

  #encode({ method, path, headers, body }: Call): string {
    const { port, cookie } = this.#target;
    const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const lines = {
      host: `localhost:${port}`,
      ...(cookie && { cookie }),
      ...(text && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...headers,
    };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${text}`;
  }
}

/** Finds the end of a response, from its length or its last, empty chunk. */
class Reader {
  status = 0;
  #bodyAt = 0;
  #length: number | null = null;
  #head = "";

  isWhole(chunks: Buffer[]): boolean {
    if (this.#bodyAt === 0 && !this.#readHead(chunks)) return false;
    const received = chunks.reduce((sum, { length }) => sum + length, 0);
    if (this.#length !== null) return received >= this.#bodyAt + this.#length;
    return tail(chunks).endsWith("\r\n0\r\n\r\n");
  }

  /** The body as text; requests never ask for compression. */
  body(chunks: Buffer[]): string {
    const bytes = Buffer.concat(chunks).subarray(this.#bodyAt);
    if (this.#length !== null) return bytes.toString("utf8");
    const parts: Buffer[] = [];
    for (let at = 0; ; ) {
      const line = bytes.indexOf("\r\n", at);
      const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
      if (!(size > 0)) return Buffer.concat(parts).toString("utf8");
      parts.push(bytes.subarray(line + 2, line + 2 + size));
      at = line + 2 + size + 2;
    }
  }

  cookies(): string {
    return [...this.#head.matchAll(/^set-cookie: ([^;\r]+)/gim)].map(([, pair]) => pair).join("; ");
  }

  #readHead(chunks: Buffer[]): boolean {
    const [only, ...more] = chunks;
    const bytes = only && more.length === 0 ? only : Buffer.concat(chunks);
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return false;
    this.#head = bytes.toString("latin1", 0, end);
    this.#bodyAt = end + 4;
    this.status = Number(this.#head.slice(9, 12));
    const length = /^content-length: (\d+)/im.exec(this.#head)?.[1];
    this.#length =
      this.status === 204 || this.status === 304 ? 0 : length === undefined ? null : Number(length);
    return true;
  }
}

const tail = (chunks: Buffer[]): string => {
  const last = chunks.at(-1)?.toString("latin1").slice(-7) ?? "";
  return last.length >= 7 ? last : Buffer.concat(chunks.slice(-2)).toString("latin1").slice(-7);
};
