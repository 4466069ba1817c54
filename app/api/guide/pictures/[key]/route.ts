import { notFound } from "@/lib/core/errors";
import * as api from "@/lib/guide/api";
import { readPicture } from "@/lib/guide/guide";
import { route } from "@/lib/route";

export const GET = route(api.getPicture, async ({ params }) => {
  const picture = await readPicture(params.key);
  if (!picture) throw notFound();
  return new Response(new Uint8Array(picture), { headers: { "Content-Type": "image/webp" } });
});
