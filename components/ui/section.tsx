import type { ReactNode } from "react";

/** A titled card of fields. */
export function Section({
  title,
  description,
  children,
  actions,
  id,
  className = "",
  level = 2,
}: {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  id?: string;
  className?: string;
  level?: 2 | 3 | 4;
}) {
  const Heading = `h${level}` as const;
  return (
    <section id={id} className={`${level === 2 ? "card p-4 sm:p-5" : ""} stack ${className}`}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Heading className={level === 2 ? "font-semibold text-lg" : "font-semibold"}>{title}</Heading>
        {actions}
      </div>
      {description && <p className="text-muted">{description}</p>}
      {children}
    </section>
  );
}

const columnClasses = {
  1: "grid items-start gap-4",
  2: "grid items-start gap-4 md:grid-cols-2",
  3: "grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3",
  4: "grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4",
  row: "flex flex-wrap items-end gap-x-3 gap-y-2",
};

/** Fields next to each other if there is space; in a `row`, each has its own width. */
export function FieldGrid({
  children,
  columns = 2,
  className = "",
}: {
  children: ReactNode;
  columns?: keyof typeof columnClasses;
  className?: string;
}) {
  return <div className={`field-grid ${columnClasses[columns]} ${className}`}>{children}</div>;
}
