"use client";

import { useWatch } from "react-hook-form";
import { type FormValues, formTypeOf } from "@/components/forms/values";
import { date, initials, parseDate } from "@/lib/core/text/format";
import type { FormLists } from "@/lib/lookups/schema";

/**
 * Shows the client, type and date of the form in one line. Initials only, because others may see the screen. A date
 * alone gets a label.
 */
export function FormSubtitle({ lists }: { lists: FormLists }) {
  const [name, formTypeId, serviceOn] = useWatch<
    FormValues,
    ["client.name", "form.formTypeId", "form.serviceOn"]
  >({ name: ["client.name", "form.formTypeId", "form.serviceOn"] });
  const type = formTypeOf(formTypeId, lists);
  const about = [initials(name), "name" in type ? type.name : ""].filter(Boolean);
  const day = date(parseDate(serviceOn ?? ""));
  const parts = [...about, day && about.length === 0 ? `Service On ${day}` : day].filter(Boolean);
  return <p className="min-h-6 text-muted">{parts.join(" · ")}</p>;
}
