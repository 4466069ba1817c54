import "server-only";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/core/process/env";
import { KEY_LABEL } from "@/lib/core/process/former-name";

// The sealed format: IV (12 bytes) · tag (16) · AES-256-GCM ciphertext.

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** Derived keys are cached, because deriving one takes longer than most uses of it. */
const derived = new Map<string, Buffer>();

function derive(secret: string, purpose: string, bytes: number): Buffer {
  const name = JSON.stringify([secret, purpose, bytes]);
  const key =
    derived.get(name) ?? Buffer.from(hkdfSync("sha256", secret, "", `${KEY_LABEL} ${purpose}`, bytes));
  derived.set(name, key);
  return key;
}

/**
 * Returns the keys for one purpose: that of AUTH_SECRET and, during a change of secrets, that of AUTH_SECRET_PREVIOUS.
 * Keys of different purposes cannot be derived from each other. Nothing else reads either secret.
 */
export function keysFor(purpose: string, bytes = KEY_BYTES): [present: Buffer, ...previous: Buffer[]] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS } = env();
  const present = derive(AUTH_SECRET, purpose, bytes);
  return AUTH_SECRET_PREVIOUS ? [present, derive(AUTH_SECRET_PREVIOUS, purpose, bytes)] : [present];
}

/** Returns the key that encrypts new data. */
export const keyFor = (purpose: string): Buffer => keysFor(purpose)[0];

/** Returns ids that distinguish secrets without revealing anything about them. */
export const secretIds = () => keysFor("secret id", 8);

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

/** Decrypts bytes that were encrypted with any of these keys; null if none of them fits. */
export function decryptAny(keys: readonly Buffer[], sealed: Uint8Array, context: Uint8Array): Buffer | null {
  for (const key of keys) {
    const opened = decrypt(key, sealed, context);
    if (opened) return opened;
  }
  return null;
}

/** Decrypts the result of `encrypt`; null if the key or context differs, or if a byte was changed. */
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
