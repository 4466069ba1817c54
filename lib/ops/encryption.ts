import "server-only";
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { PlainError } from "@/lib/core/server/plain-error";

// Encrypted files. They are streamed, so that a backup of any size needs little memory:
//   MAGIC · salt (32 bytes)     the head, from which and the passphrase the file's own key is derived
//   chunks of 64 KB             each AES-256-GCM ciphertext and its tag (16 bytes), the last one shorter
// A chunk's nonce holds its number and whether it is the last, and the head is authenticated with each: chunks that are
// changed, left out, moved, cut off or of another file are found out.

const MAGIC = Buffer.from("casebook, encrypted, 1\n");
const SALT_BYTES = 32;
const HEAD_BYTES = MAGIC.length + SALT_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";
/** Half a second and 128 MB for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** The key of one file and its head. */
type FileKey = { key: Buffer; head: Buffer };

const keyOf = (passphrase: string, head: Buffer): Promise<FileKey> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFKC"), head.subarray(MAGIC.length), 32, SCRYPT, (error, key) =>
      error ? reject(error) : resolve({ key, head }),
    ),
  );

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts a stream of bytes into those of a file. */
export async function* encrypted(bytes: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const { key, head } = await keyOf(passphrase, Buffer.concat([MAGIC, randomBytes(SALT_BYTES)]));
  yield head;
  let number = 0;
  for await (const { chunk, isLast } of chunksOf(bytes, CHUNK_BYTES)) {
    const cipher = createCipheriv(ALGORITHM, key, nonceOf(number++, isLast)).setAAD(head);
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

/** The key of an encrypted file; null if the file is not encrypted. Refuses one without a passphrase. */
export async function keyOfFile(file: string, passphrase: string | undefined): Promise<FileKey | null> {
  const handle = await open(file);
  const head = Buffer.alloc(HEAD_BYTES);
  await handle.read(head, { position: 0 }).finally(() => handle.close());
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (!passphrase)
    throw new PlainError(
      "The backup is encrypted: set the BACKUP_PASSPHRASE or BACKUP_KEY_FILE it was made with.",
    );
  return keyOf(passphrase, head);
}

/** Decrypts the bytes of a file, chunk by chunk; the end has been reached only when no error came. */
export async function* decrypted(file: string, { key, head }: FileKey): AsyncGenerator<Buffer> {
  let number = 0;
  const bytes = createReadStream(file, { start: HEAD_BYTES });
  for await (const { chunk, isLast } of chunksOf(bytes, CHUNK_BYTES + TAG_BYTES)) {
    const textEnd = Math.max(0, chunk.length - TAG_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, nonceOf(number++, isLast), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(head).setAuthTag(chunk.subarray(textEnd));
      yield Buffer.concat([decipher.update(chunk.subarray(0, textEnd)), decipher.final()]);
    } catch {
      throw new PlainError(
        "The file is damaged, or BACKUP_PASSPHRASE or BACKUP_KEY_FILE is not the one it was made with.",
      );
    }
  }
}

/** Cuts a stream into chunks of `size` bytes; the last may be shorter. */
async function* chunksOf(bytes: AsyncIterable<Buffer>, size: number) {
  let pending: Buffer = Buffer.alloc(0);
  for await (const more of bytes) {
    pending = Buffer.concat([pending, more]);
    while (pending.length > size) {
      yield { chunk: pending.subarray(0, size), isLast: false };
      pending = pending.subarray(size);
    }
  }
  yield { chunk: pending, isLast: true };
}
