import "server-only";
import { hashOf, type Logo, typeOf } from "@/lib/core/branding/logo";
import { invalid } from "@/lib/core/errors";
import { limiter } from "@/lib/core/process/limiter";
import { whole } from "@/lib/core/text/format";
import { LOGO_MAX_KB } from "@/lib/organization/schema";

/** The most pixels on a side of an uploaded image. */
const SIDE_MAX = 2_000;
/** The most pixels on a side of the stored image, which is shown much smaller. */
const STORED_SIDE_MAX = 512;
const DECODE_SECONDS = 10;

/** One image is decoded at a time, because each takes memory. */
const inTurn = limiter(1, 1);

const refuse = (problem: string) => invalid("organization.logo", problem);

/** Returns the bytes of base64, also of a data URL. Throws 422. */
function bytesOf(given: string): Buffer {
  // White space is removed first: a pattern that allows it in two places takes a step for each pair of its characters.
  const base64 = given.replace(/^data:[\w/+.-]*;base64,/i, "").replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw refuse("must be an image as base64");
  return Buffer.from(base64, "base64");
}

/**
 * Returns an uploaded image as it is stored: decoded and encoded again, so that nothing but its pixels is left. Throws 422
 * if it is not a PNG, JPEG, or WebP by its content, or too large.
 */
export async function storableLogo(given: string): Promise<Logo> {
  const bytes = bytesOf(given);
  if (bytes.length > LOGO_MAX_KB * 1024) throw refuse(`must be at most ${LOGO_MAX_KB} KB`);
  const type = typeOf(bytes);
  if (!type || type === "image/svg+xml") throw refuse("must be a PNG, JPEG, or WebP image");
  return inTurn(() => encodeAgain(bytes, type));
}

async function encodeAgain(bytes: Buffer, type: string): Promise<Logo> {
  // Loaded at the first upload: it takes memory that other servers need not spend.
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  // Only the three formats have a decoder, whatever the bytes contain.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"],
  });
  const image = sharp(bytes, { failOn: "error", limitInputPixels: SIDE_MAX * SIDE_MAX, pages: 1 });
  const head = await image.metadata().catch(() => null);
  if (!head || `image/${head.format}` !== type) throw refuse("is not an image that can be read");
  if (head.width > SIDE_MAX || head.height > SIDE_MAX)
    throw refuse(`must have at most ${whole(SIDE_MAX)} pixels on each side`);
  const fitted = image
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(STORED_SIDE_MAX, STORED_SIDE_MAX, { fit: "inside", withoutEnlargement: true });
  // Mail readers show these two everywhere.
  const stored = type === "image/jpeg" ? fitted.jpeg({ quality: 90 }) : fitted.png({ compressionLevel: 9 });
  const encoded = await stored.toBuffer().catch(() => null);
  if (!encoded) throw refuse("is not an image that can be read");
  return { type: type === "image/jpeg" ? type : "image/png", bytes: encoded, hash: hashOf(encoded) };
}
