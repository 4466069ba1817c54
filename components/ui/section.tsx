import { type ReactNode, useId } from "react";

/** A titled card of fields. */
export function Section({
  title,
  description,
  children,
  actions,
  id,
  className = "",
  level = 2,
  isGroup = false,
}: {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  id?: string;
  className?: string;
  level?: 2 | 3 | 4;
  /**
   * True if assistive technology announces the section with its fields, because several sections have fields of the
   * same name.
   */
  isGroup?: boolean;
}) {
  const Heading = `h${level}` as const;
  const headingId = useId();
  return (
    <section
      id={id}
      {...(isGroup && { role: "group", "aria-labelledby": headingId })}
      className={`${level === 2 ? "card p-4 sm:p-5" : ""} stack ${className}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Heading id={headingId} className={level === 2 ? "font-semibold text-lg" : "font-semibold"}>
          {title}
        </Heading>
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
  return <div className={`${columnClasses[columns]} ${className}`}>{children}</div>;
}
