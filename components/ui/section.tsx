import type { ReactNode } from "react";

/** A titled card of fields. */
export function Section({
  title,
  description,
  children,
  actions,
  id,
  className = "",
}: {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  id?: string;
  className?: string;
}) {
  return (
    <section id={id} className={`card p-4 sm:p-5 stack ${className}`}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-lg">{title}</h2>
        {actions}
      </div>
      {description && <p className="text-muted">{description}</p>}
      {children}
    </section>
  );
}

const columnClasses = {
  2: "grid items-start gap-4 md:grid-cols-2",
  3: "grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3",
  row: "flex flex-wrap items-end gap-x-3 gap-y-2",
};

/** Checkboxes in the columns of other fields, each with the fields that belong to it below. */
export const CheckGrid = ({ children }: { children: ReactNode }) => (
  <div className="check-grid grid items-start gap-x-4 md:grid-cols-2">{children}</div>
);

/** The place of a field that belongs to the checkbox above it: below the words of the checkbox. */
export const BELOW_BOX = "pb-2 pl-7.5";

/** Fields next to each other if there is space; in a `row`, each has its own width. */
export function FieldGrid({
  children,
  columns = 2,
}: {
  children: ReactNode;
  columns?: keyof typeof columnClasses;
}) {
  return <div className={`field-grid ${columnClasses[columns]}`}>{children}</div>;
}
