import { ClientRecord } from "@/components/forms/client-record";
import { idParams } from "@/lib/api/list-query";
import { page, unlessTooSlow } from "@/lib/api/page";
import { can, fullName } from "@/lib/auth/permissions";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { formsToPrint } from "@/lib/forms/by-client/data";
import { printQuery } from "@/lib/forms/by-client/schema";
import { clientOfPage } from "@/lib/forms/by-client/screen";
import { formLists } from "@/lib/lookups/resources/data";
import { face } from "@/lib/server/face";

/**
 * A client's whole record on paper: all that is known, and every form that the user may see, in full; or only those of
 * some days.
 */
export default page({
  permission: "clients",
  params: idParams,
  query: () => printQuery,
  load: async ({ actor, params: { id }, query }) => {
    const client = await clientOfPage(actor, id, "/print");
    const reading = formsToPrint(actor, id, query).then((forms) => ({ forms }));
    const [found, lists] = await Promise.all([unlessTooSlow(reading, { forms: [] }), formLists(actor)]);
    const [printedBy, printedOn] = [fullName(actor), shortDateTimeOfDay(new Date())];
    return { client, ...found, days: query, lists, printedBy, printedOn, ownOnly: !can(actor, "all-forms") };
  },
  show: (record) => <ClientRecord brand={face()} {...record} />,
});
