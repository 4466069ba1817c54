import * as z from "zod/mini";
import { RecordForm } from "@/components/record/record-form";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { backTo } from "@/lib/core/api/back-link";
import { idParam } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { titleize } from "@/lib/core/text/format";
import { isClosed } from "@/lib/forms/periods/closed";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";
import { recordParams } from "@/lib/records/api-schema";
import { records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";

export default page({
  permission: (params) => records[params.records].permission,
  params: z.extend(recordParams, { id: idParam }),
  load: async ({ actor, params: { records: list, id }, search }) => {
    const store = recordStores[list];
    const [record, choices, through] = await Promise.all([
      store.get(actor, id),
      store.choices(actor),
      closedThrough(),
    ]);
    const closed = isClosed(String(record[records[list].day]), through) ? through : null;
    return {
      history: to("recordsHistory", { records: list, id }) + fromQuery(search),
      form: { list, record, choices, closed, back: backTo(to("recordsList", { records: list }), search) },
    };
  },
  show: ({ form, history }) => (
    <>
      <PageTitle
        title={`Edit ${titleize(records[form.list].words.record)}`}
        id={form.record.id}
        actions={<LinkButton href={history}>History</LinkButton>}
      />
      <RecordForm key={form.record.lockVersion} {...form} />
    </>
  ),
});
