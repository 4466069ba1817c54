import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/controls";
import { APP_NAME } from "./brand";
import type { MenuItem } from "./menu";

/** A page that cannot be shown: why, and where to go from here. */
export function Problem({
  title,
  text,
  action,
  home,
}: {
  title: string;
  text: string;
  action?: ReactNode;
  /** Where the user begins, where that is known. */
  home?: MenuItem;
}) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 px-4 py-16">
      <title>{`${title} · ${APP_NAME}`}</title>
      <h1 className="font-semibold text-2xl">{title}</h1>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        {action}
        {home && <LinkButton href={home.href}>Go to {home.label}</LinkButton>}
      </div>
    </div>
  );
}
