import "server-only";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/server/env";

// The sealed format: IV (12 bytes) · tag (16) · AES-256-GCM ciphertext.

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** A key derived from AUTH_SECRET for one purpose. The key of another purpose cannot be derived from it. */
export const keyFor = (purpose: string, bytes = KEY_BYTES): Buffer =>
  Buffer.from(hkdfSync("sha256", env().AUTH_SECRET, "", `casebook ${purpose}`, bytes));

/**
 * Encrypts the bytes. They can be opened only with the same key and the same `context`, which is not stored with them.
 */
export function encrypt(key: Buffer, bytes: Uint8Array, context: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  cipher.setAAD(context);
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what `encrypt` made; null if the key or context differs, or if a byte was changed. */
export function decrypt(key: Buffer, sealed: Uint8Array, context: Uint8Array): Buffer | null {
  const bytes = Buffer.from(sealed);
  const textAt = IV_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(context);
    decipher.setAuthTag(bytes.subarray(IV_BYTES, textAt));
    return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]);
  } catch {
    return null;
  }
}
