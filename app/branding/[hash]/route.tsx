import { logoOf } from "@/lib/core/branding/branding";

// Read on each request: the logo is the running server's, not the build's.
export const dynamic = "force-dynamic";

/** Returns the organization's logo. Open to guests. Browsers keep it: another logo has another hash, and so another address. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ hash: string }> },
): Promise<Response> {
  const image = await logoOf((await params).hash);
  if (!image) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(image.bytes), {
    headers: { "Content-Type": image.type, "Cache-Control": "public, max-age=31536000, immutable" },
  });
}
