import type { ReactNode } from "react";
import { MoreIcon } from "./icons";
import { Menu } from "./menu";

/** The actions of a page next to its title; on a phone, a menu. */
export function PageActions({ children }: { children: ReactNode }) {
  return (
    <Menu
      label="Actions"
      className="page-actions"
      data-page-menu=""
      data-icon-only=""
      aria-label="More actions"
      icon={<MoreIcon />}
      content={children}
    />
  );
}
