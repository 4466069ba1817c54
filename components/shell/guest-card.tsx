import type { ReactNode } from "react";
import { PRODUCT_NAME } from "@/lib/core/product";

/** The card of a guest page; its title is also the document's. */
export function GuestCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="card stack p-6">
      <title>{`${title} · ${PRODUCT_NAME}`}</title>
      <h1 className="font-semibold text-xl">{title}</h1>
      {children}
    </div>
  );
}
