import { logo } from "@/lib/core/server/branding";

// Read on each request: the environment is the running server's, not the build's.
export const dynamic = "force-dynamic";

/** Returns the organization's logo. Open to guests. */
export function GET(): Response {
  const image = logo();
  if (!image) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(image.bytes), { headers: { "Content-Type": image.type } });
}
