import "server-only";
import { rows } from "@/lib/core/database/client";
import { AppError, unavailable } from "@/lib/core/errors";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/process/cipher";
import { isDisconnected } from "@/lib/core/process/request-context";
import { sql } from "@/lib/core/sql";
import { IMPORT_MAX } from "@/lib/transfer/imports/schema";

// The file of an import before it starts. It is stored in the database in parts, so that every server process can read
// it. Each part is encrypted together with its position, so that none can be moved or exchanged.

const KEY = "import file v1";
const PART_BYTES = 256 * 1024;

const place = (importId: number, number: number) => Buffer.from(`import ${importId} part ${number}`);

/**
 * Stores a request body as the file of an import and returns its size in bytes. Throws 413 above 100 MB, and 400 if
 * the body is incomplete.
 */
export async function storeFile(importId: number, body: AsyncIterable<Uint8Array> | null): Promise<number> {
  let size = 0;
  let number = 0;
  let pending: Uint8Array[] = [];
  let length = 0;
  const flush = async () => {
    const sealed = encrypt(keyFor(KEY), Buffer.concat(pending), place(importId, number));
    await rows(
      sql`INSERT INTO import_parts (import_id, number, sealed) VALUES (${importId}, ${number}, ${sealed})`,
    );
    [pending, length, number] = [[], 0, number + 1];
  };
  for await (let chunk of completeChunks(body)) {
    size += chunk.byteLength;
    if (size > IMPORT_MAX) throw new AppError("too_large", "The file is larger than 100 MB.");
    while (length + chunk.byteLength >= PART_BYTES) {
      const fits = PART_BYTES - length;
      pending.push(chunk.subarray(0, fits));
      chunk = chunk.subarray(fits);
      await flush();
    }
    pending.push(chunk);
    length += chunk.byteLength;
  }
  if (length > 0) await flush();
  return size;
}

async function* completeChunks(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk;
  } catch {
    throw new AppError("malformed", "The file is incomplete.");
  }
}

/** Throws 503 if the client has disconnected, so that work on its file stops. */
export function assertConnected(): void {
  if (isDisconnected()) throw unavailable();
}

/**
 * A row of a file; `number` counts from 1, as in a spreadsheet. `problem` says why its cells cannot be trusted. The workbook
 * of the row may count days from 1904.
 */
export type FileRow = { number: number; cells: string[]; problem?: string; since1904?: boolean };

/** Reads the bytes of a file from `start` to before `end`. */
export type ReadBytes = (start: number, end: number) => AsyncGenerator<Buffer>;

/**
 * Returns the reader of a file. It caches the last part, because the directory of a ZIP archive is read in many small
 * steps.
 */
export function readerOf(importId: number): ReadBytes {
  let [cached, bytes]: [number, Buffer] = [-1, Buffer.alloc(0)];
  return async function* read(start, end) {
    for (let number = Math.floor(start / PART_BYTES); number * PART_BYTES < end; number += 1) {
      if (number !== cached) [bytes, cached] = [await readPart(importId, number), number];
      const from = number * PART_BYTES;
      yield bytes.subarray(Math.max(0, start - from), end - from);
    }
  };
}

async function readPart(importId: number, number: number): Promise<Buffer> {
  const [row] = await rows<{ sealed: Buffer }>(
    sql`SELECT sealed FROM import_parts WHERE import_id = ${importId} AND number = ${number}`,
  );
  const part = row && decryptAny(keysFor(KEY), row.sealed, place(importId, number));
  if (!part) throw new AppError("invalid", "The file is no longer available. Please upload it again.");
  return part;
}
