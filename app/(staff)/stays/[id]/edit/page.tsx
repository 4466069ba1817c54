import { z } from "zod";
import { PageTitle } from "@/components/shell/page-title";
import { StayForm } from "@/components/shelter/stay-form";
import { LinkButton } from "@/components/ui/controls";
import { can } from "@/lib/core/access/permissions";
import { backTo } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { PAGES, to } from "@/lib/core/pages";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";
import { openStay, stayChoices } from "@/lib/shelter/stays";

export default page({
  permission: "shelter",
  params: idParams,
  /** `client=1`: the client's page led here. */
  query: () => z.object({ client: z.literal("1").optional() }),
  load: async ({ actor, params: { id }, query, search }) => {
    const [{ stay, clientName }, choices, through] = await Promise.all([
      openStay(actor, id),
      stayChoices(actor),
      closedThrough(),
    ]);
    const fromClient = query.client !== undefined && can(actor, "clients");
    const origin = search.from === undefined ? to("shelter") : backTo(to("staysList"), search);
    return {
      clientName,
      history: to("staysHistory", { id }) + (fromClient ? "?client=1" : fromQuery(search)),
      form: {
        stay,
        choices,
        closedThrough: through,
        back: fromClient ? to("clientsShow", { id: stay.clientId }) : origin,
      },
    };
  },
  show: ({ clientName, form, history }) => (
    <>
      <PageTitle
        title={PAGES.staysEdit.title}
        id={form.stay.id}
        name={clientName}
        actions={<LinkButton href={history}>History</LinkButton>}
      />
      <StayForm key={form.stay.lockVersion} {...form} />
    </>
  ),
});
