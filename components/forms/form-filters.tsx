"use client";

import { lazy, Suspense, useState } from "react";
import { namedOptions } from "@/components/record/named-options";
import { type Chip, FilterChips } from "@/components/ui/filter-chips";
import { Filters, TableDayFilter, TableFilter, useTable } from "@/components/ui/table-query";
import type { NamedItem } from "@/lib/core/access/permissions";
import { ALL_USERS } from "@/lib/core/fields/words";
import { capitalize, date } from "@/lib/core/text/format";
import { FORM_LABELS, FORM_STATUSES, SERVICE_STATUSES } from "@/lib/forms/words";
import type { UserOption } from "@/lib/lookups/resources/schema";

// Loaded lazily: it needs the form library, which the list does not.
const ClientFilter = lazy(() => import("@/components/forms/client-filter"));

const nameOf = (items: readonly NamedItem[], id: string) =>
  items.find((item) => String(item.id) === id)?.name ?? id;

const statusOptions = FORM_STATUSES.map((status) => ({ value: status, label: capitalize(status) }));
const USUAL_STATUS = "unreconciled";
const ALL = { value: "all", label: "All" };
const serviceStatusOptions = SERVICE_STATUSES.map((status) => ({ value: status, label: status }));

/** The filters of the forms list, and a chip for each active one. `users` is set only for holders of All Forms. */
export function FormFilters({
  users,
  formTypes,
  clientName,
}: {
  users: readonly UserOption[] | null;
  formTypes: readonly NamedItem[];
  /** The name of the filtered client; null if no row shows it. */
  clientName: string | null;
}) {
  const { params, set } = useTable();
  const value = (name: string) => params.get(`filters[${name}]`) ?? "";
  /** The client chosen here, whose name may not be in any row. */
  const [chosen, setChosen] = useState<NamedItem | null>(null);
  const clientId = value("clientId");
  const client = String(chosen?.id) === clientId ? chosen?.name : clientName;
  const isAll = value("formStatus") === ALL.value;

  const words: Record<string, (value: string) => string> = {
    formStatus: (status) => `Status: ${status === ALL.value ? ALL.label : capitalize(status)}`,
    userId: (id) => `User: ${nameOf(users ?? [], id)}`,
    formTypeId: (id) => `${FORM_LABELS.formType}: ${nameOf(formTypes, id)}`,
    serviceStatus: (status) => `${FORM_LABELS.serviceStatus}: ${status}`,
    from: (day) => `${FORM_LABELS.serviceOn} from ${date(day)}`,
    to: (day) => `${FORM_LABELS.serviceOn} to ${date(day)}`,
    returned: () => "Returned",
    answered: () => "Answered",
    clientId: (id) => `Client: ${client ?? id}`,
  };
  // The default filter needs no chip, even if a link states it.
  const isUsual = (name: string) => name === "formStatus" && value(name) === USUAL_STATUS;
  const chips = Object.entries(words).flatMap(([name, text]): Chip[] =>
    value(name) && !isUsual(name) ? [{ name, text: text(value(name)) }] : [],
  );

  return (
    <>
      <Filters
        more={
          <>
            <Suspense>
              <ClientFilter
                chosen={clientId && (client ?? clientId)}
                onChoose={(hit) => {
                  setChosen(hit);
                  set({ "filters[clientId]": String(hit.id), page: null });
                }}
              />
            </Suspense>
            <TableFilter
              name="formTypeId"
              label={FORM_LABELS.formType}
              stacked
              placeholder="-- All --"
              options={namedOptions(formTypes)}
            />
            <TableFilter
              name="serviceStatus"
              label={FORM_LABELS.serviceStatus}
              stacked
              placeholder="-- All --"
              options={serviceStatusOptions}
            />
            <TableFilter
              name="returned"
              label="Returned"
              stacked
              placeholder="-- All --"
              options={[{ value: "true", label: "Returned" }]}
            />
            {users && (
              <TableFilter
                name="answered"
                label="Answered"
                stacked
                placeholder="-- All --"
                options={[{ value: "true", label: "Answered" }]}
              />
            )}
            <TableDayFilter name="from" label={`${FORM_LABELS.serviceOn} from`} />
            <TableDayFilter name="to" label={`${FORM_LABELS.serviceOn} to`} />
          </>
        }
      >
        <TableFilter
          name="formStatus"
          label="Status"
          // The list offers two choices; links from elsewhere show both together.
          options={isAll ? [...statusOptions, ALL] : statusOptions}
          defaultValue={USUAL_STATUS}
        />
        {users && (
          <TableFilter name="userId" label="User" placeholder={ALL_USERS} options={namedOptions(users)} />
        )}
      </Filters>
      {chips.length > 0 && (
        <div className="filter-chips order-10000 w-full">
          <FilterChips chips={chips} />
        </div>
      )}
    </>
  );
}
