import "server-only";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** An image, with its type, and the hash of its bytes, which is part of its address. */
export type Logo = { type: string; bytes: Buffer; hash: string };

const MOST_BYTES = 200 * 1024;

// A comment ends at its first `-->`. If it could end at any other one, many comments would take steps without end.
const isSvg = (text: string) =>
  /^\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(text);

/** Returns the type of an image by its first bytes, not by its name; undefined for anything else. */
export function typeOf(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return isSvg(bytes.toString("utf8", 0, 2_000)) ? "image/svg+xml" : undefined;
}

const HASH_LENGTH = 32;

/** Returns the hash in the address of these bytes. */
export const hashOf = (bytes: Buffer): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, HASH_LENGTH);

/** Returns the image in a file, or null. It must be a PNG, JPEG, WebP, or SVG of at most 200 KB. */
export function readLogo(file: string): Logo | null {
  try {
    if (statSync(file).size > MOST_BYTES) return null;
    const bytes = readFileSync(file);
    const type = typeOf(bytes);
    return type ? { type, bytes, hash: hashOf(bytes) } : null;
  } catch {
    return null;
  }
}
