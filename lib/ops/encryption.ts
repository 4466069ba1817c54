import "server-only";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import { PlainError } from "@/lib/core/server/plain-error";
import { decryptedFormer, FORMER_MAGIC } from "@/lib/ops/former-encryption";

// Encrypted files in the format of age (age-encryption.org/v1), which its command-line tools open too. They are streamed,
// so that a backup of any size needs little memory. Files made before that have a format of their own.

/** What a file is encrypted with: a passphrase, or public keys (`age1…`), whose secret keys this server need not have. */
export type BackupKey = { passphrase: string } | { recipients: readonly string[] };

/** What may open a file: a passphrase, and secret keys (`AGE-SECRET-KEY-…`). */
export type BackupKeys = { passphrase?: string | undefined; identities?: readonly string[] };

/** Two to three seconds of CPU and 128 MB for each guess. */
const SCRYPT_WORK_FACTOR = 17;

const toWeb = (bytes: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(bytes)) as unknown as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as unknown as WebStream<Uint8Array>);

/** Encrypts a stream of bytes into those of a file. */
export async function* encrypted(bytes: AsyncIterable<Buffer>, key: BackupKey): AsyncGenerator<Buffer> {
  const encrypter = new Encrypter();
  if ("passphrase" in key) {
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR);
    encrypter.setPassphrase(key.passphrase.normalize("NFKC"));
  } else for (const recipient of key.recipients) encrypter.addRecipient(recipient);
  yield* fromWeb(await encrypter.encrypt(toWeb(bytes)));
}

const MAGIC = Buffer.from("age-encryption.org/v1\n");
const SCRYPT = Buffer.from("-> scrypt ");

type Kind = "passphrase" | "recipients" | "former";

/** How a file is encrypted; null if it is not. */
async function kindOf(file: string): Promise<Kind | null> {
  const handle = await open(file);
  const head = Buffer.alloc(MAGIC.length + SCRYPT.length);
  await handle.read(head, { position: 0 }).finally(() => handle.close());
  if (head.subarray(0, FORMER_MAGIC.length).equals(FORMER_MAGIC)) return "former";
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  return head.subarray(MAGIC.length).equals(SCRYPT) ? "passphrase" : "recipients";
}

type Opened = {
  /** Decrypts from the beginning; the end has been reached only when no error came. */
  bytes: () => AsyncIterable<Uint8Array>;
  /** True if only somebody with the passphrase can have made the file. Public keys are no secret. */
  isAuthentic: boolean;
};

/** Returns how to read an encrypted file; null if it is not encrypted. Refuses one whose key is not there. */
export async function openEncrypted(file: string, keys: BackupKeys): Promise<Opened | null> {
  const kind = await kindOf(file);
  if (!kind) return null;
  const decrypter = new Decrypter();
  if (kind === "recipients") {
    if (!keys.identities)
      throw new PlainError(
        "The backup is encrypted for a public key: name the file of its secret key with --identity.",
      );
    for (const identity of keys.identities) decrypter.addIdentity(identity);
    return { bytes: () => decrypted(file, decrypter), isAuthentic: false };
  }
  const { passphrase } = keys;
  if (!passphrase)
    throw new PlainError(
      "The backup is encrypted: set the BACKUP_PASSPHRASE or BACKUP_KEY_FILE it was made with.",
    );
  if (kind === "former") return { bytes: () => decryptedFormer(file, passphrase), isAuthentic: true };
  decrypter.addPassphrase(passphrase.normalize("NFKC"));
  return { bytes: () => decrypted(file, decrypter), isAuthentic: true };
}

async function* decrypted(file: string, decrypter: Decrypter): AsyncGenerator<Uint8Array> {
  try {
    yield* fromWeb(await decrypter.decrypt(toWeb(createReadStream(file))));
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw error;
    throw new PlainError("The file is damaged, or the key is not the one it was made with.");
  }
}
