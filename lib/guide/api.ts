import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { file } from "@/lib/core/api/response";

export const getPicture = endpoint("GET /api/guide/pictures/{key}", {
  about: "A picture of the guide, by the name of its file.",
  permission: "signed-in",
  params: z.object({ key: z.string() }),
  errors: ["not_found"],
  beforeTwoStep: true,
  queued: false,
  response: file("image/webp"),
});
