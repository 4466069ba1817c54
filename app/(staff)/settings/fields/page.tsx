import { FormPreview } from "@/components/settings/fields/form-preview";
import { OwnFieldsSettings } from "@/components/settings/fields/own-fields";
import { ProgramFields } from "@/components/settings/fields/program-fields";
import { PageTitle } from "@/components/shell/page-title";
import { currentDefinitions } from "@/lib/core/fields/definitions";
import { PAGES } from "@/lib/core/pages";
import { settingItems } from "@/lib/forms/fields/controls";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "form-setup",
  load: async ({ actor }) => ({ lists: await formLists(actor), definitions: currentDefinitions() }),
  show: ({ lists, definitions: { version, fields, settings } }) => (
    <>
      <PageTitle title={PAGES.fields.title} />
      <div className="stack">
        <OwnFieldsSettings fields={fields} formTypes={lists.formTypes} />
        <ProgramFields items={settingItems(settings)} />
        <FormPreview lists={lists} version={version} />
      </div>
    </>
  ),
});
