import "server-only";
import { decrypt, encrypt, keyFor } from "@/lib/server/cipher";

// Sealed: version (1 byte) · id of the secret (4) · what lib/server/cipher.ts makes. The first two are the header. The
// header and the context are authenticated, so that a sealed text opens only where it was put.

const VERSION = 1;

const derive = (purpose: string, bytes?: number) => keyFor(`draft ${purpose} v${VERSION}`, bytes);

/**
 * The first bytes of every text sealed with the present AUTH_SECRET; texts that begin otherwise can no longer be
 * opened.
 */
export const sealHeader = (): Buffer => Buffer.concat([Buffer.of(VERSION), derive("secret id", 4)]);

const authenticated = (header: Buffer, context: string) => Buffer.concat([header, Buffer.from(context)]);

/** The text encrypted; it opens only with the same secret and the same `context`. */
export function seal(text: string, context: string): Buffer {
  const header = sealHeader();
  return Buffer.concat([
    header,
    encrypt(derive("key"), Buffer.from(text, "utf8"), authenticated(header, context)),
  ]);
}

/** Decrypts what `seal` made; null if the secret or context differs, or if a byte was changed. */
export function unseal(sealed: Uint8Array, context: string): string | null {
  const bytes = Buffer.from(sealed);
  const header = sealHeader();
  if (!bytes.subarray(0, header.length).equals(header)) return null;
  const opened = decrypt(derive("key"), bytes.subarray(header.length), authenticated(header, context));
  return opened?.toString("utf8") ?? null;
}
