import "server-only";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/server/cipher";

/** What is said of a row: why it was refused, and what its cells said. */
export type Note = { problem: string; cells?: string[] };

/** With the clients of whom that tells; their ids are not sealed, so that the database can leave it out. */
export type Told = Note & { clients?: number[] };

const KEY = "import notes v1";
const context = (importId: number) => Buffer.from(`notes of import ${importId}`);

export const sealNote = (importId: number, note: Note): Buffer =>
  encrypt(keyFor(KEY), Buffer.from(JSON.stringify(note)), context(importId));

/** Nothing is said where AUTH_SECRET has become another. */
export function openNote(importId: number, sealed: Uint8Array): Note {
  const opened = decryptAny(keysFor(KEY), sealed, context(importId));
  return opened ? JSON.parse(opened.toString("utf8")) : { problem: "" };
}
