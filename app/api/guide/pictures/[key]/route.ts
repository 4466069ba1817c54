import { notFound } from "@/lib/core/api/errors";
import * as api from "@/lib/home/guide/api";
import { readPicture } from "@/lib/home/guide/guide";
import { route } from "@/lib/route";

route(api.getPicture, async ({ params }) => {
  const picture = await readPicture(params.key);
  if (!picture) throw notFound();
  return new Response(new Uint8Array(picture), { headers: { "Content-Type": "image/webp" } });
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
