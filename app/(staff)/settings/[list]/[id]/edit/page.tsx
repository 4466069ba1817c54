import { LookupForm } from "@/components/settings/lookup-form";
import { PageTitle } from "@/components/shell/page-title";
import { backTo, found, pageId } from "@/lib/api/page";
import { choicesFor, lookupStores } from "@/lib/lookups/data";
import { entityOf } from "@/lib/lookups/registry";
import { lookupValues } from "@/lib/lookups/schema";
import { requireList } from "../../list";

export default async function EditSettingPage({
  params,
  searchParams,
}: PageProps<"/settings/[list]/[id]/edit">) {
  const list = await requireList(params);
  const id = await pageId(params);
  const [item, choices] = await Promise.all([found(lookupStores[list].get(id)), choicesFor(list)]);
  return (
    <>
      <PageTitle title={`Edit ${entityOf(list)}`} id={id} />
      <LookupForm
        list={list}
        id={id}
        values={lookupValues(list, item)}
        choices={choices}
        back={await backTo(`/settings/${list}`, searchParams)}
      />
    </>
  );
}
