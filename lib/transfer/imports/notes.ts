import "server-only";
import { oneLine } from "@/lib/core/fields/validation";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/server/cipher";

/**
 * A note on a row: the reason for its refusal and, in a note of its own, its cells. For headings, also the number of
 * values in each column.
 */
type Note = { problem: string; cells?: string[]; values?: number[] };

/**
 * Adds the clients the note is about. Their ids are not encrypted, so that the database can hide the note.
 */
export type NewNote = Note & { clients?: number[] };

const KEY = "import notes v1";
const context = (importId: number) => Buffer.from(`notes of import ${importId}`);

export const sealNote = (importId: number, note: Note): Buffer =>
  encrypt(keyFor(KEY), Buffer.from(JSON.stringify(note)), context(importId));

/** Decrypts a note. Returns an empty one if AUTH_SECRET was replaced since. */
export function openNote(importId: number, sealed: Uint8Array): Note {
  const opened = decryptAny(keysFor(KEY), sealed, context(importId));
  return opened ? JSON.parse(opened.toString("utf8")) : { problem: "" };
}

const NAME_KEY = "import file names v1";

/** The most characters of a file's name that are stored. */
const NAME_MAX = 255;

/** Encrypts the name of a file, as it was sent: percent-encoded. */
export function sealFileName(importId: number, encoded: string): Buffer {
  const name = oneLine(decoded(encoded)).slice(0, NAME_MAX);
  return encrypt(keyFor(NAME_KEY), Buffer.from(name), context(importId));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decrypts the name of a file. Returns "" without one, or if AUTH_SECRET was replaced since. */
export const openFileName = (importId: number, sealed: Uint8Array | null): string =>
  (sealed && decryptAny(keysFor(NAME_KEY), sealed, context(importId))?.toString("utf8")) || "";
