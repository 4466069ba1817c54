import { RecordEntry } from "@/components/record/record-form";
import { RecordList } from "@/components/record/record-list";
import { PageTitle } from "@/components/shell/page-title";
import { can } from "@/lib/core/access/permissions";
import { NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";
import { recordParams, recordQuery } from "@/lib/records/api-schema";
import { records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/store";

/** The list of any declared record, with its quick entry. */
export default page({
  permission: (params) => records[params.records].permission,
  params: recordParams,
  query: (params) => recordQuery(params.records),
  load: async ({ actor, params: { records: list }, query }) => {
    const store = recordStores[list];
    const [{ items, ...read }, users, choices, through] = await Promise.all([
      unlessTooSlow(store.list(actor, query), { items: NO_ITEMS, meta: pageMeta(query, 0) }),
      store.userOptions(actor),
      store.choices(actor),
      closedThrough(),
    ]);
    return {
      ...{ list, rows: items.value(), ...read, users, choices, closedThrough: through },
      mayExport: can(actor, "export"),
    };
  },
  show: (data) => (
    <>
      <PageTitle title={records[data.list].words.title} />
      <div className="stack">
        <RecordEntry list={data.list} choices={data.choices} />
        <RecordList {...data} />
      </div>
    </>
  ),
});
