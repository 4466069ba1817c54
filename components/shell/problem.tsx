import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/controls";
import { APP_NAME } from "./brand";

/** A page that cannot be shown: why, and where to go from here. */
export function Problem({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 px-4 py-16">
      <title>{`${title} · ${APP_NAME}`}</title>
      <h1 className="font-semibold text-2xl">{title}</h1>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        {action}
        <LinkButton href="/forms">Go to Forms</LinkButton>
      </div>
    </div>
  );
}
