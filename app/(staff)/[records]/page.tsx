import { EntrySection } from "@/components/record/entry-section";
import { RecordList } from "@/components/record/record-list";
import { screenOf } from "@/components/record/screens";
import { PageTitle } from "@/components/shell/page-title";
import { NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { recordQuery } from "@/lib/declared-records/api-schema";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";
import { recordParams } from "@/lib/records/api-schema";
import { records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";

/** The list of any declared record, with its quick entry. */
export default page({
  permission: (params) => records[params.records].permission,
  params: recordParams,
  query: (params) => recordQuery(records[params.records]),
  load: async ({ actor, params: { records: list }, query, search }) => {
    const store = recordStores[list];
    const again = records[list].copied ? search.again : undefined;
    const [{ items, ...read }, users, choices, through, copied] = await Promise.all([
      unlessTooSlow(store.list(actor, query), { items: NO_ITEMS, meta: pageMeta(query, 0) }),
      store.userOptions(actor),
      store.choices(actor),
      closedThrough(),
      store.fromUrl(actor, again),
    ]);
    return {
      list,
      rows: items.value(),
      ...read,
      users,
      choices,
      closedThrough: through,
      user: { permissions: actor.permissions },
      entry: {
        list,
        choices,
        copied,
        user: { permissions: actor.permissions, userId: actor.userId },
      },
    };
  },
  show: ({ entry, ...data }) => (
    <>
      <PageTitle title={records[data.list].words.title} actions={screenOf(data.list).pageActions} />
      <div className="stack">
        <EntrySection {...entry} />
        <RecordList {...data} />
      </div>
    </>
  ),
});
