import { ContactForm } from "@/components/contacts/contact-form";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { contactChoices, getContact } from "@/lib/contacts/contacts";
import { backTo } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/fields/query";
import { PAGES, to } from "@/lib/core/pages";
import { isClosed } from "@/lib/forms/periods/closed";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";

export default page({
  permission: "contacts",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const [contact, choices, through] = await Promise.all([
      getContact(actor, id),
      contactChoices(actor),
      closedThrough(),
    ]);
    const closed = isClosed(contact.contactedOn, through) ? through : null;
    return {
      history: to("contactsHistory", { id }) + fromQuery(search),
      form: { contact, choices, closed, back: backTo(to("contactsList"), search) },
    };
  },
  show: ({ form, history }) => (
    <>
      <PageTitle
        title={PAGES.contactsEdit.title}
        id={form.contact.id}
        actions={<LinkButton href={history}>History</LinkButton>}
      />
      <ContactForm key={form.contact.lockVersion} {...form} />
    </>
  ),
});
