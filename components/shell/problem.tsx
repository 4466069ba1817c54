import type { ReactNode } from "react";
import { PRODUCT_NAME } from "@/lib/core/product";
import type { MenuItem } from "./menu-items";

/**
 * A page that cannot be shown: the reason, and a link to continue. It uses no UI components, because each layout has
 * its own copy of everything that it imports.
 */
export function Problem({
  title,
  text,
  action,
  home,
}: {
  title: string;
  text: string;
  action?: ReactNode;
  /** The user's first page, if known. */
  home?: MenuItem;
}) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 px-4 py-16">
      <title>{`${title} · ${PRODUCT_NAME}`}</title>
      <h1 className="font-semibold text-2xl">{title}</h1>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        {action}
        {home && (
          <a href={home.href} className="button" data-variant="secondary">
            Go to {home.label}
          </a>
        )}
      </div>
    </div>
  );
}
