import { MailProblems } from "@/components/accounts/mail-problems";
import { LookupList } from "@/components/settings/lookup-list";
import { PageTitle } from "@/components/shell/page-title";
import { mailProblems } from "@/lib/accounts/mail/data";
import { pageQuery } from "@/lib/api/list-query";
import { lookupStores } from "@/lib/lookups/data";
import { lookups } from "@/lib/lookups/registry";
import { lookupQuery, lookupRow } from "@/lib/lookups/schema";
import { requireList } from "./list";

/** The list screen of a settings list (spec §2). */
export default async function SettingsListPage({ params, searchParams }: PageProps<"/settings/[list]">) {
  const list = await requireList(params);
  const { items, meta } = await lookupStores[list].list(pageQuery(lookupQuery(list), await searchParams));
  return (
    <>
      <PageTitle title={lookups[list].title} />
      {list === "users" && <MailProblems problems={await mailProblems()} />}
      <LookupList list={list} rows={items.map((item) => lookupRow(list, item))} meta={meta} />
    </>
  );
}
