import { openedAs } from "@/components/forms/reading";
import { ReadingView } from "@/components/forms/reading-view";
import type { Form } from "@/lib/forms/api-schema";
import type { FormLists } from "@/lib/lookups/schema";

/** The reading view of a form, without its client. In its own file, because it loads the schema of forms. */
export default function EntryReading({ form, lists }: { form: Form; lists: FormLists }) {
  return <ReadingView {...openedAs(form, null, lists)} withClient={false} />;
}
