import "server-only";
import { decrypt, encrypt, keysFor } from "@/lib/core/server/cipher";

// Sealed: version (1 byte) · id of the secret (4) · what lib/core/server/cipher.ts makes. The first two are the header. The
// header and the context are authenticated, so that a sealed text opens only where it was put.

const VERSION = 1;
export const HEADER_BYTES = 5;

const derive = (purpose: string, bytes?: number) => keysFor(`draft ${purpose} v${VERSION}`, bytes);

/**
 * The first bytes of every text sealed with the present AUTH_SECRET, then with the previous one; texts that begin
 * otherwise can no longer be opened.
 */
export const sealHeaders = (): Buffer[] =>
  derive("secret id", 4).map((id) => Buffer.concat([Buffer.of(VERSION), id]));

const authenticated = (header: Buffer, context: string) => Buffer.concat([header, Buffer.from(context)]);

/** The text encrypted; it opens only with the same secret and the same `context`. */
export function seal(text: string, context: string): Buffer {
  const [header = Buffer.of()] = sealHeaders();
  const [key] = derive("key");
  return Buffer.concat([header, encrypt(key, Buffer.from(text, "utf8"), authenticated(header, context))]);
}

/** Decrypts what `seal` made; null if the secret or context differs, or if a byte was changed. */
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
