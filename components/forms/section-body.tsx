"use client";

import type { ReactNode } from "react";
import { type UseFormReturn, useFormContext } from "react-hook-form";
import { BiographicalFields } from "@/components/clients/biographical-fields";
import type { ScreenSection } from "@/components/forms/sections";
import type { FormValues } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { CustomFields } from "@/components/record/custom-fields";
import { SectionFields } from "@/components/record/section-fields";
import type { FormLists } from "@/lib/lookups/schema";

/** The content of a section on the form screen and in the preview. `details` and `services` render those two sections. */
export function SectionBody({
  section: { id, spec, custom = [], paths },
  lists,
  choices,
  details,
  services,
}: {
  section: ScreenSection;
  lists: FormLists;
  choices: Choices;
  details: (custom: NonNullable<ScreenSection["custom"]>) => ReactNode;
  services: (custom: NonNullable<ScreenSection["custom"]>) => ReactNode;
}) {
  const form: UseFormReturn<FormValues> = useFormContext();
  if (id === "details") return details(custom);
  if (id === "services") return services(custom);
  if (!spec) return <CustomFields places={custom} />;
  return id === "biographical" ? (
    <BiographicalFields
      prefix="client"
      on={() => form.getValues("form.serviceOn")}
      {...{ lists, choices, custom }}
    />
  ) : (
    <SectionFields prefix={paths[0] ?? ""} {...{ spec, custom, choices }} />
  );
}
