import { ClientRecord } from "@/components/forms/client-record";
import { idParams } from "@/lib/api/list-query";
import { page } from "@/lib/api/page";
import { can, fullName } from "@/lib/auth/permissions";
import { getClient } from "@/lib/clients/data";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { formsToPrint } from "@/lib/forms/by-client/data";
import { formLists } from "@/lib/lookups/resources/data";
import { face } from "@/lib/server/face";

/** A client's whole record on paper: all that is known, and every form that the user may see, in full. */
export default page({
  permission: "clients",
  params: idParams,
  load: async ({ actor, params: { id } }) => {
    const client = await getClient(actor, id);
    const [forms, lists] = await Promise.all([formsToPrint(actor, id), formLists(actor)]);
    const [printedBy, printedOn] = [fullName(actor), shortDateTimeOfDay(new Date())];
    return { client, forms, lists, printedBy, printedOn, ownOnly: !can(actor, "all-forms") };
  },
  show: (record) => <ClientRecord brand={face()} {...record} />,
});
