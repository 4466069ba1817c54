import { MailProblems } from "@/components/identity/mail-problems";
import { LookupList } from "@/components/settings/lookup-list";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { can } from "@/lib/core/access/permissions";
import { NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES, to } from "@/lib/core/pages";
import { mailProblems } from "@/lib/identity/mail/queue";
import { listParams, lookupQuery } from "@/lib/lookups/api-schema";
import { lookups } from "@/lib/lookups/registry";
import { lookupRow } from "@/lib/lookups/schema";
import { lookupStores } from "@/lib/lookups/store";
import { page } from "@/lib/page";

export default page({
  permission: ({ list }) => lookups[list].permission,
  params: listParams,
  query: ({ list }) => lookupQuery(list),
  load: async ({ actor, params: { list }, query }) => {
    const read = lookupStores[list].list(actor, query);
    const { items, meta, failed } = await unlessTooSlow(read, { items: NO_ITEMS, meta: pageMeta(query, 0) });
    const problems = list === "users" ? await mailProblems(actor) : null;
    const mayExport = can(actor, "export");
    return {
      list,
      meta,
      failed,
      rows: items.value().map((item) => lookupRow(list, item)),
      mayExport,
      problems,
      setsUpFields: list === "form_types" && can(actor, "form-setup"),
    };
  },
  show: ({ problems, setsUpFields, ...data }) => (
    <>
      <PageTitle
        title={lookups[data.list].title}
        actions={setsUpFields && <LinkButton href={to("fields")}>{PAGES.fields.title}</LinkButton>}
      />
      {problems && <MailProblems problems={problems} />}
      <LookupList {...data} />
    </>
  ),
});
