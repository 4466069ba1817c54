import { FieldsSettings } from "@/components/settings/fields/fields-settings";
import { PageTitle } from "@/components/shell/page-title";
import { currentDefinitions } from "@/lib/core/fields/definitions";
import { PAGES } from "@/lib/core/pages";
import { settingItems } from "@/lib/forms/fields/controls";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "form-setup",
  load: async ({ actor }) => ({ lists: await formLists(actor), definitions: currentDefinitions() }),
  show: ({ lists, definitions }) => (
    <>
      <PageTitle title={PAGES.fields.title} />
      <div className="stack">
        <FieldsSettings items={settingItems(definitions.settings)} {...{ definitions, lists }} />
      </div>
    </>
  ),
});
