import "server-only";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/server/env";

// Sealed: version (1 byte) · id of the secret (4) · IV (12) · tag (16) · AES-256-GCM ciphertext. The first two
// are the header. The header and the context are authenticated, so that a sealed text opens only where it was put.

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const derive = (purpose: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", env().AUTH_SECRET, "", `casebook draft ${purpose} v${VERSION}`, bytes));

/** What every text sealed with the present AUTH_SECRET begins with; any other cannot be opened any more. */
export const sealHeader = (): Buffer => Buffer.concat([Buffer.of(VERSION), derive("secret id", 4)]);

/** The text encrypted; it opens only with the same secret and the same `context`. */
export function seal(text: string, context: string): Buffer {
  const header = sealHeader();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, derive("key", 32), iv);
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** The text of what `seal` made, or null when the secret or the context is another, or a byte was changed. */
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
