import { z } from "zod";
import { PageTitle } from "@/components/shell/page-title";
import { Imports } from "@/components/transfer/imports/imports";
import { PAGES } from "@/lib/core/pages";
import { shortDateTimeOfDay } from "@/lib/core/text/format";
import { page } from "@/lib/page";
import { getImport, importableKinds, listImports, ownerChoices } from "@/lib/transfer/imports/imports";

/** Lists imports. `id` selects the import to show. */
export default page({
  permission: "import",
  query: () => z.object({ id: z.coerce.number().int().positive().nullable().catch(null) }),
  load: async ({ actor, query }) => {
    const [imports, current, owners] = await Promise.all([
      listImports(actor),
      query.id ? getImport(actor, query.id) : null,
      ownerChoices(actor),
    ]);
    return {
      imports: imports.map((item) => ({ ...item, begun: shortDateTimeOfDay(item.createdAt) })),
      shown: current,
      owners,
      kinds: importableKinds(actor),
    };
  },
  show: (data) => (
    <>
      <PageTitle title={PAGES.imports.title} />
      <Imports key={data.shown?.id ?? "none"} {...data} />
    </>
  ),
});
