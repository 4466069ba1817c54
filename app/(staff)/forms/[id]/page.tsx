import { FormView } from "@/components/forms/form-view";
import { fullName } from "@/lib/core/access/permissions";
import { backToOrigin } from "@/lib/core/api/back-link";
import { idParams } from "@/lib/core/api/list-query";
import { branding } from "@/lib/core/branding/branding";
import { to } from "@/lib/core/pages";
import { shortDateTimeOfDay } from "@/lib/core/text/format";
import { openForm } from "@/lib/forms/open";
import { reviewOf } from "@/lib/forms/review/reviews";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

export default page({
  permission: "forms",
  params: idParams,
  load: async ({ actor, params: { id }, search }) => {
    const opening = openForm(actor, id);
    const [{ form, client }, review, lists] = await Promise.all([
      opening,
      reviewOf(actor, id, opening, search.from),
      formLists(actor),
    ]);
    return {
      brand: await branding(),
      form,
      client,
      review,
      lists,
      back: backToOrigin(to("formsList"), search),
      printsOnOpen: search.print === "true",
      printedBy: fullName(actor),
      printedOn: shortDateTimeOfDay(new Date()),
    };
  },
  show: (data) => <FormView {...data} />,
});
