import { ReviewForms } from "@/components/forms/review/review-forms";
import { backTo, fromQuery } from "@/lib/core/api/back-link";
import { to } from "@/lib/core/pages";
import { readForms } from "@/lib/forms/review/reviews";
import { idsToRead } from "@/lib/forms/review/schema";
import { formLists } from "@/lib/lookups/resources/lists";
import { page } from "@/lib/page";

/** The forms with the ids in the URL, below each other to read and review. */
export default page({
  permission: "forms",
  load: async ({ actor, search }) => {
    const [forms, lists] = await Promise.all([readForms(actor, idsToRead(search.ids)), formLists(actor)]);
    return { forms, lists, from: fromQuery(search), back: backTo(to("formsList"), search) };
  },
  show: (data) => <ReviewForms {...data} />,
});
