import type { ReactNode } from "react";

/** Something to see to, set apart from the page around it. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="stack rounded-lg border border-warning bg-warning-soft p-3">
      <p className="font-semibold">{title}</p>
      {children}
    </section>
  );
}
