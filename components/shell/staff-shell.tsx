"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { ClosedThrough } from "@/components/ui/closed-days";
import { IconButton } from "@/components/ui/controls";
import { Drawer } from "@/components/ui/dialog";
import { FocusLinked } from "@/components/ui/focus-linked";
import { MenuIcon } from "@/components/ui/icons";
import { NotificationsProvider } from "@/components/ui/notifications";
import type { Brand } from "@/lib/core/branding/brand";
import { Header } from "./header";
import type { Menu } from "./menu-items";
import { BackToSetUp } from "./set-up-page";
import { Sidebar } from "./sidebar";

/** Header, side navigation and content of every signed-in page; on narrow screens the navigation is a drawer. */
export function StaffShell({
  fullName,
  home,
  menu,
  brand,
  closedThrough,
  children,
}: {
  fullName: string;
  home: string;
  menu: Menu;
  brand: Brand;
  /** The last closed day, or null. */
  closedThrough: string | null;
  children: ReactNode;
}) {
  const [collapsed, setCollapsed] = useState(false);
  const pathname = usePathname();
  // The path where the drawer was opened. The drawer closes when the path changes.
  const [drawerAt, setDrawerAt] = useState<string | null>(null);
  const closeDrawer = () => setDrawerAt(null);

  const menuButton = (
    <>
      <IconButton
        className="max-lg:hidden"
        label={collapsed ? "Expand sidebar" : "Collapse sidebar"}
        aria-expanded={!collapsed}
        aria-controls="sidebar"
        icon={<MenuIcon />}
        onClick={() => setCollapsed((now) => !now)}
      />
      <IconButton
        className="lg:hidden"
        label="Open menu"
        aria-haspopup="dialog"
        icon={<MenuIcon />}
        onClick={() => setDrawerAt(pathname)}
      />
    </>
  );

  return (
    <NotificationsProvider
      overSidebar={!collapsed}
      header={
        <>
          <a
            href="#main"
            className="button print-hidden sr-only focus:not-sr-only focus:fixed! focus:top-2 focus:left-2 focus:z-60"
            data-variant="primary"
          >
            Skip to content
          </a>
          <Header fullName={fullName} home={home} brand={brand} menu={menu} menuButton={menuButton} />
        </>
      }
    >
      <div className="flex print:block">
        <aside
          id="sidebar"
          hidden={collapsed}
          className={`print-hidden sticky top-14 h-[calc(100dvh-3.5rem)] w-64 flex-none overflow-y-auto border-line border-r bg-surface p-3 ${collapsed ? "" : "max-lg:hidden"}`}
        >
          <Sidebar menu={menu} />
        </aside>
        <Drawer open={drawerAt === pathname} onClose={closeDrawer} title="Menu">
          <Sidebar menu={menu} onStay={closeDrawer} />
        </Drawer>
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-5 outline-none sm:px-6 print:p-0">
          <div className="mx-auto max-w-6xl">
            <BackToSetUp />
            <ClosedThrough value={closedThrough}>{children}</ClosedThrough>
          </div>
          <FocusLinked />
        </main>
      </div>
    </NotificationsProvider>
  );
}
