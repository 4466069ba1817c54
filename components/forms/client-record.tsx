import { RecordTrail } from "@/components/audit/record-trail";
import { clientPhone } from "@/components/clients/client-phone";
import { openedAs, readClient, reconciledWords } from "@/components/forms/reading";
import { PrintFoot, PrintHead, ReadingBlocks, ReadingView } from "@/components/forms/reading-view";
import { choicesOf } from "@/components/record/choices";
import { PageTitle } from "@/components/shell/page-title";
import { readStays } from "@/components/shelter/reading";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { InBrowser } from "@/components/ui/in-browser";
import { DayInput } from "@/components/ui/plain-inputs";
import { PrintButton } from "@/components/ui/print-button";
import { PrintOnOpen } from "@/components/ui/print-on-open";
import type { Client } from "@/lib/clients/api-schema";
import { fullName } from "@/lib/core/access/permissions";
import type { Brand } from "@/lib/core/branding/brand";
import { PAGES, to } from "@/lib/core/pages";
import { date } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import type { PrintQuery } from "@/lib/forms/by-client/schema";
import { isLarge } from "@/lib/forms/large";
import { FORM_LABELS } from "@/lib/forms/words";
import type { FormLists } from "@/lib/lookups/schema";
import type { Stay } from "@/lib/shelter/api-schema";

type Props = {
  brand: Brand;
  client: Client;
  /** In print order. */
  forms: Form[];
  /** In order of time. */
  stays: Stay[];
  /** The reason why the forms could not be read, or null. */
  failed: string | string[] | null;
  /** The range of service days. */
  days: PrintQuery;
  lists: FormLists;
  printedBy: string;
  printedOn: string;
  /** True if colleagues' forms are left out. */
  ownOnly: boolean;
};

/** A client's whole record for print: the client's details, then each form in full on its own page. */
export function ClientRecord(props: Props) {
  const { client, failed, days } = props;
  return (
    <>
      <div className="print-hidden">
        <PageTitle
          title={PAGES.clientsPrint.title}
          id={client.id}
          name={client.name}
          actions={
            <div className="flex flex-wrap gap-2">
              <LinkButton href={to("clientsShow", { id: client.id })}>Back to the client</LinkButton>
              <PrintButton />
              <RecordTrail kind="client" id={client.id} />
            </div>
          }
        />
        <form className="mb-4 flex flex-wrap items-end gap-3">
          <DayInput name="from" label="Services from" value={days.from} />
          <DayInput name="to" label="To" value={days.to} />
          <Button type="submit">Show</Button>
        </form>
      </div>
      {failed ? (
        <ErrorAlert messages={failed} />
      ) : (
        <>
          <InBrowser isLarge={isLarge({ client, forms: props.forms })}>
            <Pages {...props} />
          </InBrowser>
          <PrintOnOpen />
        </>
      )}
    </>
  );
}

function Pages({ brand, client, forms, stays, days, lists, printedBy, printedOn, ownOnly }: Props) {
  const choices = choicesOf(lists);
  const between = [days.from && `from ${date(days.from)}`, days.to && `to ${date(days.to)}`];
  return (
    <div className="stack">
      <article className="card p-4 sm:p-5 print:p-0">
        <PrintHead
          brand={brand}
          title={client.name}
          rows={[
            { label: "Client", text: String(client.id) },
            { label: "Advocate", text: fullName(client.user) },
            { label: "Client since", text: date(client.createdOn) },
            {
              label: "Forms",
              text: [String(forms.length), ownOnly && `only those of ${printedBy}`, ...between]
                .filter(Boolean)
                .join(", "),
            },
            { label: "Printed on", text: printedOn },
            { label: "Printed by", text: printedBy },
          ]}
        />
        <ReadingBlocks
          blocks={[...readClient(client, choices), ...(stays.length > 0 ? [readStays(stays, choices)] : [])]}
          phone={clientPhone(client)}
        />
        {forms.length === 0 && <PrintFoot brand={brand} />}
      </article>
      {forms.map((form, index) => (
        <article key={form.id} className="card break-before-page p-4 sm:p-5 print:p-0">
          <PrintHead
            brand={brand}
            title={`Form ${form.id}`}
            rows={[
              { label: "Advocate", text: fullName(form.user) },
              { label: "Client", text: client.name },
              { label: FORM_LABELS.serviceOn, text: date(form.serviceOn) },
              { label: "Review", text: reconciledWords(form) },
            ]}
          />
          <ReadingView {...openedAs(form, null, lists)} withClient={false} />
          {index === forms.length - 1 && <PrintFoot brand={brand} />}
        </article>
      ))}
    </div>
  );
}
