"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { guardBack } from "./back-guard";
import { Button } from "./controls";
import { Dialog } from "./dialog";
import { PageProgress } from "./link";
import { askNoMore, holdUnsaved, releaseUnsaved, unsavedDescriptions } from "./unsaved";
import { useOffline } from "./use-offline";

/**
 * Asks before the user leaves a page with unsaved changes: by a link, Back, a reload or closing the tab. `router.push`
 * after a save is not stopped. Without a connection the page stays. If several guards of a page have unsaved changes, one of them asks for all. Pages at and below `within` keep
 * the changes, so it does not ask before going there.
 */
export function UnsavedGuard({
  unsaved,
  description = "The changes you made on this page will be lost.",
  within,
}: {
  unsaved: boolean;
  /** Explains what will happen to the changes. */
  description?: string;
  within?: string;
}) {
  const router = useRouter();
  const [leave, setLeave] = useState<{ go: () => void; descriptions: string[] } | null>(null);
  const [leaving, startLeaving] = useTransition();
  const offline = useOffline();

  useEffect(() => {
    if (!unsaved) return;
    const holder = holdUnsaved(description);
    const watching = new AbortController();
    const { signal } = watching;
    const ask = (go: () => void) => setLeave({ go, descriptions: unsavedDescriptions() });
    const asksAt = ({ pathname }: URL) =>
      holder.asks && pathname !== within && !pathname.startsWith(`${within}/`);

    window.addEventListener("beforeunload", (event) => holder.asks && event.preventDefault(), { signal });
    document.addEventListener(
      "click",
      (event) => {
        const url = targetOf(event);
        if (!url || !asksAt(url)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        ask(() => router.push(url.pathname + url.search + url.hash));
      },
      // Runs before the link handles the click.
      { signal, capture: true },
    );
    const endGuard = window.navigation ? undefined : guardBack({ asksAt, ask });
    window.navigation?.addEventListener(
      "navigate",
      (event) => {
        if (event.navigationType !== "traverse" || !event.cancelable || event.defaultPrevented) return;
        const { key } = event.destination;
        const url = new URL(event.destination.url);
        if (isThisPage(url) || !asksAt(url)) return;
        event.preventDefault();
        ask(() => window.navigation.traverseTo(key));
      },
      { signal },
    );
    return () => {
      watching.abort();
      endGuard?.();
      releaseUnsaved(holder);
    };
  }, [unsaved, description, within, router]);

  if (leaving) return <PageProgress />;
  return (
    <Dialog
      open={leave !== null}
      onClose={() => setLeave(null)}
      title="Leave without saving?"
      description={[
        ...(leave?.descriptions ?? []),
        ...(offline ? ["There is no connection, so this page stays open."] : []),
      ].join(" ")}
      footer={
        <>
          <Button onClick={() => setLeave(null)}>Stay</Button>
          {/* Without a connection, no other page would open, and this one would be gone. */}
          {!offline && (
            <Button
              variant="danger"
              onClick={() => {
                setLeave(null);
                askNoMore();
                startLeaving(() => leave?.go());
              }}
            >
              Leave
            </Button>
          )}
        </>
      }
    />
  );
}

/** Returns the target of a click if it leads to another page of this site in this tab; otherwise null. */
function targetOf(event: MouseEvent): URL | null {
  const link = event.target instanceof Element && event.target.closest("a[href]");
  const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || elsewhere || link.target || link.download) return null;
  const url = new URL(link.href);
  return url.origin !== window.location.origin || isThisPage(url) ? null : url;
}

/** True if the URL is another position on this page. */
const isThisPage = ({ pathname, search }: URL): boolean =>
  pathname === window.location.pathname && search === window.location.search;
