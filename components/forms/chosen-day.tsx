import { useWatch } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";
import { Notice } from "@/components/ui/notice";
import { date, today } from "@/lib/core/fields/format";
import { FORM_LABELS } from "@/lib/forms/words";

/** Returns words on the day of a new form that the user did not choose, while the form has that day; otherwise "". */
export function useChosenDay(chosenDay: string | null): string {
  const day = useWatch<FormValues, "form.serviceOn">({ name: "form.serviceOn" });
  return day === chosenDay && day !== today() ? `${FORM_LABELS.serviceOn} is ${date(day)}, not today` : "";
}

/** States that a new form begins with a day that the user did not choose. */
export function ChosenDay({ chosenDay }: { chosenDay: string }) {
  const words = useChosenDay(chosenDay);
  return words ? (
    <Notice title={words}>
      <p>The report counts this form only if its date is in the report’s period.</p>
    </Notice>
  ) : null;
}
