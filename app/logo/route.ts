import { logo } from "@/lib/core/server/face";

// Read when it is asked for: the environment is the running server's, not the build's.
export const dynamic = "force-dynamic";

/** The organisation's logo, for guests too. */
export function GET(): Response {
  const image = logo();
  if (!image) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(image.bytes), { headers: { "Content-Type": image.type } });
}
