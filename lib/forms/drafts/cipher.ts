import "server-only";
import { decrypt, encrypt, keysFor } from "@/lib/core/process/cipher";

// Layout of a sealed text: version (1 byte), id of the secret (4 bytes), output of lib/core/process/cipher.ts. The
// first two are the header. The header and the context are authenticated, so a sealed text opens only in its own
// place.

const VERSION = 1;
export const HEADER_BYTES = 5;

const derive = (purpose: string, bytes?: number) => keysFor(`draft ${purpose} v${VERSION}`, bytes);

/**
 * Returns the headers of texts sealed with the current AUTH_SECRET and then the previous one. A text with any other
 * header can no longer be decrypted.
 */
export const sealHeaders = (): Buffer[] =>
  derive("secret id", 4).map((id) => Buffer.concat([Buffer.of(VERSION), id]));

const authenticated = (header: Buffer, context: string) => Buffer.concat([header, Buffer.from(context)]);

/** Encrypts the text. Only the same secret and the same `context` decrypt it. */
export function seal(text: string, context: string): Buffer {
  const [header = Buffer.of()] = sealHeaders();
  const [key] = derive("key");
  return Buffer.concat([header, encrypt(key, Buffer.from(text, "utf8"), authenticated(header, context))]);
}

/**
 * Decrypts the output of `seal`. Returns null if the secret or the context differs, or if a byte was changed.
 */
export function unseal(sealed: Uint8Array, context: string): string | null {
  const bytes = Buffer.from(sealed);
  for (const [of, header] of sealHeaders().entries()) {
    const key = derive("key")[of];
    if (!key || !bytes.subarray(0, header.length).equals(header)) continue;
    const opened = decrypt(key, bytes.subarray(header.length), authenticated(header, context));
    return opened?.toString("utf8") ?? null;
  }
  return null;
}
