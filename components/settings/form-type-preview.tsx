"use client";

import { SECTIONS } from "@/components/forms/sections";
import { canine } from "@/lib/forms/sections/canine";
import { intake } from "@/lib/forms/sections/intake";
import type { FormTypeFlags } from "@/lib/lookups/types";

/** The parts of a form of a type with these flags, in the order of the form screen. */
export default function FormTypePreview({ flags }: { flags: FormTypeFlags }) {
  const details = [
    intake.showsReferral(flags) ? "with a referral source" : "without a referral source",
    canine.shows(flags) ? "with canine assistance" : "without canine assistance",
  ];
  return (
    <section aria-label="Preview" className="rounded-lg border border-line border-dashed p-3">
      <h2 className="mb-1 font-medium text-sm">A form of this type</h2>
      <ol className="list-decimal pl-5">
        {SECTIONS.filter(({ shows }) => shows(flags, "Served")).map(({ id, title }) => (
          <li key={id}>
            {title}
            {id === "details" && <span className="text-muted">{`, ${details.join(", ")}`}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
