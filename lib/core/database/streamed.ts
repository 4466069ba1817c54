import "server-only";
import type pg from "pg";

/** The bytes after which PostgreSQL waits until the rows have been used. A batch ends with the row that exceeds them. */
const BATCH_BYTES = 1024 * 1024;

/** A row as PostgreSQL sends it: the text of each column, or null. */
export type TextRow = readonly (string | null)[];

/** Collects the rows of one statement, and stops receiving when a batch is full. */
class Receiver implements pg.Submittable {
  /** Longer than any statement runs: pg would otherwise end it after the `query_timeout` of its pool. */
  readonly query_timeout = 2 ** 31 - 1;
  /** pg sets this to stop its timer. */
  callback?: () => void;
  isDone = false;
  failure: Error | undefined;
  private rows: TextRow[] = [];
  private bytes = 0;
  private socket: pg.Connection["stream"] | undefined;
  private wake = () => {};

  constructor(readonly text: string) {}

  submit = (connection: pg.Connection): void => {
    this.socket = connection.stream;
    connection.query(this.text);
  };

  handleRowDescription(): void {}

  handleDataRow({ fields, length }: { fields: TextRow; length: number }): void {
    this.rows.push(fields);
    this.bytes += length;
    if (this.bytes < BATCH_BYTES) return;
    this.socket?.pause();
    this.wake();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.end();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.end();
  }

  private end(): void {
    this.isDone = true;
    this.callback?.();
    this.wake();
  }

  /** Returns the rows received since the last call: a full batch, or the last rows. */
  async batch(): Promise<TextRow[]> {
    this.socket?.resume();
    if (this.bytes < BATCH_BYTES && !this.isDone)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.failure) throw this.failure;
    const { rows } = this;
    [this.rows, this.bytes] = [[], 0];
    return rows;
  }

  /** Lets the connection receive again. Closes it if PostgreSQL still sends rows. */
  close(): void {
    if (this.isDone) this.socket?.resume();
    else this.socket?.destroy();
  }
}

/**
 * Yields the rows of a statement without values, in batches of about 1 MB, so that neither many nor large rows fill the
 * memory. PostgreSQL waits while a batch is used. Closes the connection if the caller stops early.
 */
export async function* streamed(client: pg.ClientBase, text: string): AsyncGenerator<TextRow[]> {
  const receiver = client.query(new Receiver(text));
  try {
    while (!receiver.isDone) {
      const rows = await receiver.batch();
      if (rows.length > 0) yield rows;
    }
  } finally {
    receiver.close();
  }
}
