import "server-only";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { ReadableStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import { PlainError } from "@/lib/core/process/plain-error";

// Encrypts files in the age format (age-encryption.org/v1), which the age command-line tools also open. Files are
// streamed, so a backup of any size needs little memory.

/** The key of an encrypted file: a passphrase, or public keys (`age1…`). The server does not need their secret keys. */
export type BackupKey = { passphrase: string } | { recipients: readonly string[] };

/** The keys that may open a file: a passphrase and secret keys (`AGE-SECRET-KEY-…`). */
export type BackupKeys = { passphrase?: string | undefined; identities?: readonly string[] };

/** Two to three seconds of CPU and 128 MB for each guess. */
const SCRYPT_WORK_FACTOR = 17;

/** Node's adapter `Readable.toWeb` throws where nothing can catch it if the library cancels a damaged file. */
const toWeb = (bytes: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(bytes) as unknown as globalThis.ReadableStream<Uint8Array>;

/** Encrypts a stream of bytes and returns the bytes of the file. */
export async function* encrypted(bytes: AsyncIterable<Buffer>, key: BackupKey): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  if ("passphrase" in key) {
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR);
    encrypter.setPassphrase(key.passphrase.normalize("NFKC"));
  } else for (const recipient of key.recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(toWeb(bytes));
}

const MAGIC = Buffer.from("age-encryption.org/v1\n");
const SCRYPT = Buffer.from("-> scrypt ");

type Kind = "passphrase" | "recipients";

/** Returns the kind of a file's encryption; null if it is not encrypted. */
async function kindOf(file: string): Promise<Kind | null> {
  const handle = await open(file);
  const head = Buffer.alloc(MAGIC.length + SCRYPT.length);
  await handle.read(head, { position: 0 }).finally(() => handle.close());
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  return head.subarray(MAGIC.length).equals(SCRYPT) ? "passphrase" : "recipients";
}

type Opened = {
  /** Decrypts from the beginning. The file is complete only if no error is thrown before the end. */
  bytes: () => AsyncIterable<Uint8Array>;
  /** True if only someone with the passphrase can have made the file. Public keys are not secret. */
  isAuthentic: boolean;
};

/**
 * Returns a reader of an encrypted file; null if the file is not encrypted. Throws PlainError if the matching key is
 * missing.
 */
export async function openEncrypted(file: string, keys: BackupKeys): Promise<Opened | null> {
  const kind = await kindOf(file);
  if (!kind) return null;
  const decrypter = new Decrypter();
  if (kind === "recipients") {
    if (!keys.identities)
      throw new PlainError(
        "The backup is encrypted for a public key: name the file of its secret key with --identity.",
      );
    try {
      for (const identity of keys.identities) decrypter.addIdentity(identity);
    } catch {
      // The error of the library quotes the key.
      throw new PlainError("The --identity file contains a damaged secret key.");
    }
    return { bytes: () => decrypted(file, decrypter), isAuthentic: false };
  }
  const { passphrase } = keys;
  if (!passphrase)
    throw new PlainError(
      "The backup is encrypted: set the BACKUP_PASSPHRASE or BACKUP_KEY_FILE it was created with.",
    );
  decrypter.addPassphrase(passphrase.normalize("NFKC"));
  return { bytes: () => decrypted(file, decrypter), isAuthentic: true };
}

async function* decrypted(file: string, decrypter: Decrypter): AsyncGenerator<Uint8Array> {
  try {
    yield* await decrypter.decrypt(toWeb(createReadStream(file)));
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw error;
    throw new PlainError("The file is damaged, or the key is not the one it was created with.");
  }
}
