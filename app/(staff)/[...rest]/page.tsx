import * as z from "zod/mini";
import { page } from "@/lib/page";

/** An address without a page: shows that it does not exist, with the header and the menu of every other page. */
export default page({
  permission: "signed-in",
  params: z.never(),
  load: async () => null,
  show: () => null,
});
