// biome-ignore-all lint/a11y/noRedundantRoles: `display: block` removes the elements' own roles on narrow screens
// biome-ignore-all lint/a11y/useSemanticElements: as above

import { ErrorAlert } from "@/components/ui/alert";
import { StatusBadge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { fullName } from "@/lib/core/access/permissions";
import { counted, date, monthOf } from "@/lib/core/fields/format";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import type { ClientForm, ClientForms as Forms } from "@/lib/forms/by-client/read";
import { FORM_LABELS, reconciledBadge, serviceStatusBadge } from "@/lib/forms/words";

/** Fixed widths, so that the columns of all monthly tables line up. */
const COLUMNS = [
  [FORM_LABELS.serviceOn, "w-[14%]"],
  [FORM_LABELS.formType, "w-[19%]"],
  [ADVOCATE_NAME, "w-[20%]"],
  [FORM_LABELS.serviceStatus, "w-[20%]"],
  ["Minutes", "w-[10%]"],
  ["Reconciled", "w-[17%]"],
];

const totals = (forms: number, minutes: number) => `${counted(forms, "form")}, ${counted(minutes, "minute")}`;

/** A client's forms by month, newest first, with totals. */
export function ClientForms({
  clientId,
  forms,
  totalForms,
  totalMinutes,
  colleagues,
  failed,
}: Forms & { clientId: number; failed: string | string[] | null }) {
  const months = [...new Set(forms.map(({ serviceOn }) => monthOf(serviceOn)))];
  const others = totalForms - forms.length;
  return (
    <>
      <Section
        title="Forms"
        actions={!failed && <p className="text-muted">{totals(totalForms, totalMinutes)}</p>}
      >
        {failed && <ErrorAlert messages={failed} />}
        {!failed && totalForms === 0 && (
          <p className="text-muted">
            {colleagues.length > 0 ? "You have no forms for this client yet." : "No forms yet."}
          </p>
        )}
        {months.map((month) => (
          <Month
            key={month}
            month={month}
            forms={forms.filter(({ serviceOn }) => monthOf(serviceOn) === month)}
          />
        ))}
        {others > 0 && (
          <p>
            <Link
              href={`${to("formsList")}?filters[clientId]=${clientId}&filters[formStatus]=all`}
              className="link"
            >
              {`${counted(others, "older form")} in the forms list`}
            </Link>
          </p>
        )}
      </Section>
      {colleagues.length > 0 && (
        <Section title="Colleagues' forms" description="You can see only the date and the form type.">
          <ul className="flex flex-col gap-1">
            {colleagues.map(({ serviceOn, formType }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two of them apart
              <li key={index}>{`${date(serviceOn)} · ${formType}`}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Month({ month, forms }: { month: string; forms: readonly ClientForm[] }) {
  const minutes = forms.reduce((sum, form) => sum + form.minutes, 0);
  return (
    <section className="break-inside-avoid">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{month}</h3>
        <p className="text-muted text-sm">{totals(forms.length, minutes)}</p>
      </div>
      <div data-two-lines="" className="@container overflow-x-auto rounded-md border border-line">
        <table
          className="data-table whitespace-nowrap @min-[56rem]:table-fixed"
          aria-label={`Forms in ${month}`}
          role="table"
        >
          <thead role="rowgroup">
            <tr role="row">
              {COLUMNS.map(([column, width]) => (
                <th key={column} role="columnheader" scope="col" className={width}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {forms.map(({ id, serviceOn, formType, user, serviceStatus, minutes, reconciled }) => (
              <tr key={id} role="row">
                <td
                  role="cell"
                  data-label={FORM_LABELS.serviceOn}
                  className="@max-[40rem]:flex-none @max-[40rem]:text-sm"
                >
                  <Link href={to("formsView", { id })} className="link">
                    {date(serviceOn)}
                  </Link>
                </td>
                <td role="cell" data-label={FORM_LABELS.formType} className="truncate" title={formType.name}>
                  {formType.name}
                </td>
                <td role="cell" data-label={ADVOCATE_NAME} className="truncate" title={fullName(user)}>
                  {fullName(user)}
                </td>
                <td role="cell" data-label={FORM_LABELS.serviceStatus}>
                  <StatusBadge badge={serviceStatusBadge(serviceStatus)} />
                </td>
                <td role="cell" data-label="Minutes" className="@max-[40rem]:order-1">
                  {minutes}
                  <span className="@min-[40rem]:hidden"> min</span>
                </td>
                <td role="cell" data-label="Reconciled" className="@max-[40rem]:order-2 @max-[40rem]:ml-auto">
                  <StatusBadge badge={reconciledBadge(reconciled)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
