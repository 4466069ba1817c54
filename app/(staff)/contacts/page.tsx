import { ContactsList } from "@/components/contacts/contacts-list";
import { QuickEntry } from "@/components/contacts/quick-entry";
import { PageTitle } from "@/components/shell/page-title";
import { Section } from "@/components/ui/section";
import { contactListQuery } from "@/lib/contacts/api-schema";
import { contactChoices, contactUserOptions, listContacts } from "@/lib/contacts/contacts";
import { can } from "@/lib/core/access/permissions";
import { NO_ITEMS, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES } from "@/lib/core/pages";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";

/** The HTML contains the first page of rows. */
export default page({
  permission: "contacts",
  query: () => contactListQuery,
  load: async ({ actor, query }) => {
    const [list, users, choices, through] = await Promise.all([
      unlessTooSlow(listContacts(actor, query), { contacts: NO_ITEMS, meta: pageMeta(query, 0) }),
      contactUserOptions(actor),
      contactChoices(actor),
      closedThrough(),
    ]);
    const may = { startsForms: can(actor, "forms"), mayExport: can(actor, "export") };
    const shown = { users, kinds: choices.contactKinds, closedThrough: through };
    return { list: { ...list, contacts: list.contacts.value(), ...shown, ...may }, choices };
  },
  show: ({ list, choices }) => (
    <>
      <PageTitle title={PAGES.contactsList.title} />
      <div className="stack">
        <div className="print-hidden">
          <Section title="Record a contact">
            <QuickEntry choices={choices} />
          </Section>
        </div>
        <ContactsList {...list} />
      </div>
    </>
  ),
});
