import { ReviewForms } from "@/components/forms/review/review-forms";
import { backTo } from "@/lib/core/api/back-link";
import { fromQuery } from "@/lib/core/api/query";
import { to } from "@/lib/core/pages";
import { countReadable, formsWaiting, readForms } from "@/lib/forms/review/reviews";
import { idsToRead } from "@/lib/forms/review/schema";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

/** The forms with the ids in the URL, below each other to read and review. Without ids, the forms that wait for a review. */
export default page({
  permission: "forms",
  load: async ({ actor, search }) => {
    const waiting = search.ids === undefined ? await formsWaiting(actor) : null;
    const ids = waiting?.ids ?? idsToRead(search.ids);
    const count = await countReadable(actor, ids);
    const [forms, lists] = await Promise.all([readForms(actor, ids.slice(0, count)), formLists(actor)]);
    return {
      forms,
      later: ids.slice(count),
      waiting: waiting?.total ?? 0,
      lists,
      from: fromQuery(search),
      back: backTo(to("formsList"), search),
    };
  },
  show: (data) => <ReviewForms {...data} />,
});
