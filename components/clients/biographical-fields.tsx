"use client";

import { type FieldPath, useFormContext, useWatch } from "react-hook-form";
import { BIOGRAPHICAL } from "@/components/clients/sections";
import type { Choices } from "@/components/record/choices";
import type { FieldInForm } from "@/components/record/custom-fields";
import { join } from "@/components/record/section";
import { SectionFields } from "@/components/record/section-fields";
import { ageBracketAt, type Biographical, type ClientInput } from "@/lib/clients/schema";
import { today } from "@/lib/core/text/format";
import type { FormLists } from "@/lib/lookups/schema";

const BRACKETS = [
  "clientBiographicalEntry.ageBracketId",
  "clientDemographicEntry.ageBracketId",
] as const satisfies FieldPath<ClientInput>[];

/** The biographical part of a client. The date of birth sets both Age Brackets until the user chooses another one. */
export function BiographicalFields({
  prefix,
  on,
  lists,
  choices,
  custom,
}: {
  /** The path of the client in the form; "" is the form itself. */
  prefix: string;
  /** Returns the day on which the age is calculated; today if missing. */
  on?: () => string | null;
  lists: FormLists;
  choices: Choices;
  /** The organization's custom fields of the section. */
  custom: readonly FieldInForm[];
}) {
  const form = useFormContext();
  const birth = join(prefix, "clientBiographicalEntry.dateOfBirth" satisfies FieldPath<ClientInput>);
  const before: string | null = useWatch({ name: birth });

  function follow() {
    const day = on?.() || today();
    const [was, is] = [before, form.getValues(birth)].map((born) =>
      ageBracketAt(lists.ageBrackets, born, day),
    );
    for (const bracket of BRACKETS) {
      const name = join(prefix, bracket);
      const chosen: number | null = form.getValues(name);
      if (chosen === null || chosen === was) form.setValue(name, is ?? null, { shouldDirty: true });
    }
  }

  return (
    <>
      <p className="text-muted text-sm">
        The date of birth sets Age Bracket here and in Client Demographics until you choose another value.
      </p>
      <SectionFields
        spec={BIOGRAPHICAL}
        prefix={join(prefix, "clientBiographicalEntry")}
        choices={choices}
        custom={custom}
        onChange={(name) => name === ("dateOfBirth" satisfies keyof Biographical) && follow()}
      />
    </>
  );
}
