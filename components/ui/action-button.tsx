"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "./controls";
import { useNotify } from "./notifications";
import { useAttempt } from "./use-failure";

/** A small button that does something at once, then says that it is done and shows the page anew. */
export function ActionButton({
  label,
  action,
  done,
  children,
}: {
  /** What it does, where its words alone do not tell. */
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
    <Button size="sm" busy={busy} aria-label={label} onClick={act}>
      {children}
    </Button>
  );
}
