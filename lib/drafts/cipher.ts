import "server-only";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/server/env";

// The sealed format: version (1 byte) · id of the secret (4) · IV (12) · tag (16) · AES-256-GCM ciphertext. Version and
// id are the header. Header and context are authenticated, so a text cannot be opened in another place.

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const derive = (purpose: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", env().AUTH_SECRET, "", `casebook draft ${purpose} v${VERSION}`, bytes));

/**
 * The first bytes of every text sealed with the present AUTH_SECRET; texts that begin otherwise can no longer be
 * opened.
 */
export const sealHeader = (): Buffer => Buffer.concat([Buffer.of(VERSION), derive("secret id", 4)]);

/** Encrypts the text; it can be opened only with the same secret and the same `context`. */
export function seal(text: string, context: string): Buffer {
  const header = sealHeader();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, derive("key", 32), iv);
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what `seal` made; null if the secret or context differs, or if a byte was changed. */
export function unseal(sealed: Uint8Array, context: string): string | null {
  const bytes = Buffer.from(sealed);
  const header = sealHeader();
  if (!bytes.subarray(0, header.length).equals(header)) return null;
  const tagAt = header.length + IV_BYTES;
  const textAt = tagAt + TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, derive("key", 32), bytes.subarray(header.length, tagAt), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
    decipher.setAuthTag(bytes.subarray(tagAt, textAt));
    return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
