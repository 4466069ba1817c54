"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "./controls";
import { onFirstClick } from "./first-click";
import { useNotify } from "./notifications";
import { useAttempt } from "./use-failure";

/** A small button that performs an action at once, then shows a notification and refreshes the page. */
export function ActionButton({
  label,
  action,
  done,
  children,
}: {
  /** The accessible name, if the button's text is not specific enough. */
  label?: string;
  action: () => Promise<void>;
  done: string;
  children: ReactNode;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);
  const act = () =>
    run(async () => {
      await action();
      notify.success(done);
      router.refresh();
    });
  return (
    <Button size="sm" busy={busy} aria-label={label} onClick={onFirstClick(act)}>
      {children}
    </Button>
  );
}
