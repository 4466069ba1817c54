import "server-only";
import { readFileSync, statSync } from "node:fs";

export type Logo = { type: string; bytes: Buffer };

const MOST_BYTES = 200 * 1024;

const isSvg = (text: string) =>
  /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(text);

/** Returns the type of an image by its first bytes, not by its name; undefined for anything else. */
function typeOf(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return isSvg(bytes.toString("utf8", 0, 2_000)) ? "image/svg+xml" : undefined;
}

/** Returns the image in a file, or null. It must be a PNG, JPEG, WebP, or SVG of at most 200 KB. */
export function readLogo(file: string): Logo | null {
  try {
    if (statSync(file).size > MOST_BYTES) return null;
    const bytes = readFileSync(file);
    const type = typeOf(bytes);
    return type ? { type, bytes } : null;
  } catch {
    return null;
  }
}
