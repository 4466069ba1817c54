import { z } from "zod";
import { Imports } from "@/components/imports/imports";
import { PageTitle } from "@/components/shell/page-title";
import { page } from "@/lib/api/page";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { getImport, importableKinds, listImports, ownerChoices } from "@/lib/imports/data";

/** Files that are brought in, and what became of each; `id` is the one that is shown. */
export default page({
  permission: "import",
  query: () => z.object({ id: z.coerce.number().int().positive().nullable().catch(null) }),
  load: async ({ actor, query }) => {
    const [imports, shown, owners] = await Promise.all([
      listImports(actor),
      query.id ? getImport(actor, query.id) : null,
      ownerChoices(actor),
    ]);
    return {
      imports: imports.map((item) => ({ ...item, begun: shortDateTimeOfDay(item.createdAt) })),
      shown,
      owners,
      kinds: importableKinds(actor),
    };
  },
  show: (data) => (
    <>
      <PageTitle title="Import" />
      <Imports key={data.shown?.id ?? "none"} {...data} />
    </>
  ),
});
