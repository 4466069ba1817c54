"use client";

import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { namedOptions } from "@/components/record/named-options";
import { Button, SelectOptions } from "@/components/ui/controls";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { DayInput, Labeled } from "@/components/ui/plain-inputs";
import { QueryForm } from "@/components/ui/query-form";
import type { NamedItem } from "@/lib/core/access/permissions";
import { shortDay } from "@/lib/core/text/format";
import { FORM_LABELS } from "@/lib/forms/words";
import { isSame, type NamedPeriod, periodName } from "@/lib/reports/periods";
import type { ReportQuery } from "@/lib/reports/schema";
import { askedIn } from "./links";

/** The options of a report's filters; null if the user has no such filter. */
export type Filters = { users: NamedItem[] | null; formTypes: NamedItem[] | null };

/**
 * Lets the user choose the period and filters: a GET form, with links to the most common periods. On a phone it is collapsed
 * to one line until the user opens it.
 */
export function PeriodForm(props: ComponentProps<typeof OpenablePeriodForm>) {
  // Choosing another period collapses it.
  return <OpenablePeriodForm key={askedIn(props.asked)} {...props} />;
}

function OpenablePeriodForm({
  action,
  asked,
  periods,
  users,
  formTypes,
  allUsers = "Everyone",
  fixed = {},
  children,
}: Filters & {
  action: string;
  asked: ReportQuery;
  periods: readonly NamedPeriod[];
  /** The label of the option for all advocates. */
  allUsers?: string;
  /** More of the query, which the user does not choose here. */
  fixed?: Record<string, string>;
  /** More buttons, after Show. */
  children?: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="card print-hidden mb-4 flex flex-col gap-3 px-4 sm:py-4">
      <button
        type="button"
        className="flex min-h-control items-center gap-2 py-2 text-left sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="text-accent">
          <ChevronIcon direction={isOpen ? "down" : "right"} />
        </span>
        <span>
          {periodName(asked, shortDay)} · <span className="link">Change</span>
        </span>
      </button>
      <div id={id} className={`flex flex-col gap-3 max-sm:pb-4 ${isOpen ? "" : "max-sm:hidden"}`}>
        <ul className="link-list flex flex-wrap gap-x-4 gap-y-1">
          {periods.map(({ name, ...period }) => (
            <li key={period.from + period.to}>
              <Link
                className="link"
                href={action + askedIn({ ...asked, ...period }, fixed)}
                aria-current={isSame(period, asked) ? "true" : undefined}
              >
                {name ?? periodName(period)}
              </Link>
            </li>
          ))}
        </ul>
        <QueryForm
          action={action}
          className="grid grid-cols-2 items-end gap-3 max-sm:[&_.control]:w-full sm:flex sm:flex-wrap"
        >
          {Object.entries(fixed).map(([name, value]) => (
            <input key={name} type="hidden" {...{ name, value }} />
          ))}
          <DayInput name="from" label="From" value={asked.from} required />
          <DayInput name="to" label="To" value={asked.to} required />
          {users && (
            <Choice name="userId" label="Advocate" all={allUsers} options={users} value={asked.userId} />
          )}
          {formTypes && (
            <Choice
              name="formTypeId"
              label={FORM_LABELS.formType}
              all="All"
              options={formTypes}
              value={asked.formTypeId}
            />
          )}
          <div className="flex flex-wrap gap-3 max-sm:col-span-2">
            <Button type="submit" variant="primary">
              Show
            </Button>
            {children}
          </div>
        </QueryForm>
      </div>
    </div>
  );
}

function Choice({
  name,
  label,
  all,
  options,
  value,
}: {
  name: string;
  label: string;
  all: string;
  options: NamedItem[];
  value: number | null;
}) {
  return (
    <Labeled label={label}>
      <select name={name} defaultValue={value ?? ""} key={value} className="control">
        <SelectOptions options={namedOptions(options)} placeholder={all} />
      </select>
    </Labeled>
  );
}
