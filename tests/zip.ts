import { text } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** Returns the files of a zip archive by name, read with a library other than the product's. */
export async function filesIn(bytes: Uint8Array): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const isDeflated = entry.compressionMethod === 8;
    if (!isDeflated) throw new Error(`${entry.fileName} is not compressed.`);
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
