import type { ComponentType } from "react";
import { OutcomeEntry } from "@/components/outcomes/entry";
import { type EntryProps, RecordEntryForm } from "@/components/record/record-entry";
import { Section } from "@/components/ui/section";
import { recordTitle } from "@/lib/core/records/declaration";
import { type RecordKey, records } from "@/lib/records/registry";

/** The kinds whose new records are entered in another way than by the quick entry alone. */
const entries: Partial<Record<RecordKey, ComponentType<EntryProps>>> = { outcome_surveys: OutcomeEntry };

/** The entry of new records of a kind as a section of a page. */
export function EntrySection(props: EntryProps) {
  const Entry = entries[props.list] ?? RecordEntryForm;
  return (
    <div className="print-hidden">
      <Section title={recordTitle(records[props.list])}>
        <Entry {...props} />
      </Section>
    </div>
  );
}
