import { useWatch } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";
import { Notice } from "@/components/ui/notice";
import { date, today } from "@/lib/core/text/format";
import { FORM_LABELS } from "@/lib/forms/words";

/** Returns words on a new form's preset day other than today, until the user changes the day; otherwise "". */
export function usePresetDay(presetDay: string | null): string {
  const day = useWatch<FormValues, "form.serviceOn">({ name: "form.serviceOn" });
  return day === presetDay && day !== today() ? `${FORM_LABELS.serviceOn} is ${date(day)}, not today` : "";
}

/** Points out that a new form has a preset day other than today, until the user changes the day. */
export function PresetDay({ presetDay }: { presetDay: string }) {
  const words = usePresetDay(presetDay);
  return words ? (
    <Notice title={words}>
      <p>The report counts this form only if its date is in the report’s period.</p>
    </Notice>
  ) : null;
}
