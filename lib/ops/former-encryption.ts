import "server-only";
import { createDecipheriv, scrypt } from "node:crypto";
import { createReadStream } from "node:fs";
import { FORMER_MAGIC } from "@/lib/core/server/former-name";
import { PlainError } from "@/lib/core/server/plain-error";

// Reads files that were encrypted before the age format was used:
//   FORMER_MAGIC · salt (32 bytes)   the head; the file's own key is derived from it and the passphrase
//   chunks of 64 KB                  each an AES-256-GCM ciphertext and its tag (16 bytes), the last one shorter
// A chunk's nonce contains its number and whether it is the last. The head is authenticated with each chunk. So a chunk
// that was changed, omitted, moved, cut off or copied from another file is detected.

const SALT_BYTES = 32;
const HEAD_BYTES = FORMER_MAGIC.length + SALT_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
/** Half a second and 128 MB for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFKC"), salt, 32, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Decrypts a file chunk by chunk. The file is complete only if no error is thrown before the end. */
export async function* decryptedFormer(file: string, passphrase: string): AsyncGenerator<Buffer> {
  let head: Buffer | undefined;
  let key: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const { chunk, isLast } of chunksOf(createReadStream(file))) {
    if (!head) {
      head = chunk;
      key = await keyOf(passphrase, head.subarray(FORMER_MAGIC.length));
      if (!isLast) continue;
    }
    const textEnd = Math.max(0, chunk.length - TAG_BYTES);
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number++, isLast), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(head).setAuthTag(chunk.subarray(textEnd));
      yield Buffer.concat([decipher.update(chunk.subarray(0, textEnd)), decipher.final()]);
    } catch {
      throw new PlainError("The file is damaged, or the key is not the one it was created with.");
    }
  }
}

/** Splits a file into its head and chunks; the last may be shorter. */
async function* chunksOf(bytes: AsyncIterable<Buffer>) {
  let pending: Buffer = Buffer.alloc(0);
  let size = HEAD_BYTES;
  for await (const more of bytes) {
    pending = Buffer.concat([pending, more]);
    while (pending.length > size) {
      yield { chunk: pending.subarray(0, size), isLast: false };
      pending = pending.subarray(size);
      size = CHUNK_BYTES + TAG_BYTES;
    }
  }
  yield { chunk: pending, isLast: true };
}
