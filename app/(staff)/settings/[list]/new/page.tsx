import { LookupForm } from "@/components/settings/lookup-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo } from "@/lib/api/page";
import { choicesFor } from "@/lib/lookups/data";
import { entityOf } from "@/lib/lookups/registry";
import { lookupValues } from "@/lib/lookups/schema";
import { requireList } from "../list";

export default async function NewSettingPage({ params, searchParams }: PageProps<"/settings/[list]/new">) {
  const list = await requireList(params);
  return (
    <>
      <PageTitle title={`New ${entityOf(list)}`} />
      <LookupForm
        list={list}
        id={null}
        values={lookupValues(list)}
        choices={await choicesFor(list)}
        back={await backTo(`/settings/${list}`, searchParams)}
      />
    </>
  );
}
