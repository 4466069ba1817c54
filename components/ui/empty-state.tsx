import type { ReactNode } from "react";

/** Replaces the rows of a list without records: an icon, a sentence, and the one button that the reader may use, if any. */
export function EmptyState({
  icon,
  action,
  children,
}: {
  icon: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center text-muted">
      <span className="grid size-12 place-items-center rounded-full bg-subtle text-2xl">{icon}</span>
      <p>{children}</p>
      {action}
    </div>
  );
}
