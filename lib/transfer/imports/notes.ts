import "server-only";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/server/cipher";

/** A note on a row: why it was refused, and its cells; of the headings also how many values each column holds. */
export type Note = { problem: string; cells?: string[]; values?: number[] };

/** With the clients whom the note is about; their ids are not sealed, so that the database can hide the note. */
export type NewNote = Note & { clients?: number[] };

const KEY = "import notes v1";
const context = (importId: number) => Buffer.from(`notes of import ${importId}`);

export const sealNote = (importId: number, note: Note): Buffer =>
  encrypt(keyFor(KEY), Buffer.from(JSON.stringify(note)), context(importId));

/** The note; an empty one where AUTH_SECRET was replaced since. */
export function openNote(importId: number, sealed: Uint8Array): Note {
  const opened = decryptAny(keysFor(KEY), sealed, context(importId));
  return opened ? JSON.parse(opened.toString("utf8")) : { problem: "" };
}
