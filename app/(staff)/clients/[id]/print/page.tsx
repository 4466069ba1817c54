import { ClientRecord } from "@/components/forms/client-record";
import { can, fullName } from "@/lib/core/access/permissions";
import { idParams } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { branding } from "@/lib/core/branding/branding";
import { shortDateTimeOfDay } from "@/lib/core/text/format";
import { formsToPrint } from "@/lib/forms/by-client/read";
import { printQuery } from "@/lib/forms/by-client/schema";
import { clientOfPage } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";
import { staysToPrint } from "@/lib/shelter/by-client";

/** Prints a client's details, the stays, and every form the user may see, optionally limited to a range of days. */
export default page({
  permission: "clients",
  params: idParams,
  query: () => printQuery,
  load: async ({ actor, params: { id }, query }) => {
    const client = await clientOfPage(actor, id, "/print");
    const reading = formsToPrint(actor, id, query).then((forms) => ({ forms }));
    const [found, lists, stays] = await Promise.all([
      unlessTooSlow(reading, { forms: [] }),
      formLists(actor),
      staysToPrint(actor, id, query),
    ]);
    const printedBy = fullName(actor);
    const printedOn = shortDateTimeOfDay(new Date());
    const read = { client, ...found, stays, days: query, lists };
    return { ...read, brand: await branding(), printedBy, printedOn, ownOnly: !can(actor, "all-forms") };
  },
  show: (record) => <ClientRecord {...record} />,
});
