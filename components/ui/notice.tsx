import type { ReactNode } from "react";

/** A highlighted box for something that needs the user's attention. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="stack rounded-lg border border-warning bg-warning-soft p-3">
      <p className="font-semibold">{title}</p>
      {children}
    </section>
  );
}
