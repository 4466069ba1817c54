import type { ReactNode } from "react";
import { APP_NAME } from "./brand";

/** The card of a guest page; its title is also the document's. */
export function GuestCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="card stack p-6">
      <title>{`${title} · ${APP_NAME}`}</title>
      <h1 className="font-semibold text-xl">{title}</h1>
      {children}
    </div>
  );
}
