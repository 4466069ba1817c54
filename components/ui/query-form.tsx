"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useTransition } from "react";
import { PageProgress } from "./link";

/**
 * A plain GET form: its fields become the query of `action`, a path. The page loads as by a link, with the progress
 * bar. Before the scripts have loaded, the browser submits the form.
 */
export function QueryForm({
  action,
  className,
  children,
}: {
  action: string;
  className: string;
  children: ReactNode;
}) {
  const router = useRouter();
  const [loading, startLoading] = useTransition();

  function go(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) query.append(name, String(value));
    startLoading(() => router.push(`${action}?${query}`));
  }

  return (
    <form action={action} className={className} onSubmit={go}>
      {children}
      {loading && <PageProgress />}
    </form>
  );
}
