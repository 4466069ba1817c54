"use client";

import type { ReactNode } from "react";
import { type FieldErrors, get, useFormState } from "react-hook-form";
import type { ScreenSection } from "@/components/forms/sections";
import { AlertIcon } from "@/components/ui/icons";
import { Section } from "@/components/ui/section";
import { counted } from "@/lib/core/fields/format";

/** The number of invalid fields below the paths. */
export function countErrors(errors: FieldErrors, paths: readonly string[]): number {
  const count = (node: unknown): number => {
    if (typeof node !== "object" || node === null) return 0;
    if ("message" in node && "type" in node) return 1;
    return Object.values(node).reduce((sum: number, inner) => sum + count(inner), 0);
  };
  return paths.reduce((sum, path) => sum + count(get(errors, path)), 0);
}

function ErrorCount({ paths }: { paths: string[] }) {
  const { errors } = useFormState({ name: paths });
  const count = countErrors(errors, paths);
  if (count === 0) return null;
  return (
    <span className="ml-2 inline-flex items-center gap-1 whitespace-nowrap font-medium text-danger text-sm">
      <AlertIcon />
      {counted(count, "error")}
    </span>
  );
}

/** A section of the form screen: a card whose heading shows the number of its errors. */
export function SectionCard({ section, children }: { section: ScreenSection; children: ReactNode }) {
  const title = (
    <>
      {section.title}
      <ErrorCount paths={section.paths} />
    </>
  );
  return (
    <Section
      id={section.id}
      title={title}
      description={section.description}
      isGroup
      className="[contain-intrinsic-size:auto_40rem] not-[#details]:[content-visibility:auto]"
    >
      {children}
    </Section>
  );
}
