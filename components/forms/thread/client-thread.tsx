import { summaryOf } from "@/components/forms/summary";
import { Thread as ThreadView } from "@/components/forms/thread/thread";
import { choicesOf } from "@/components/record/choices";
import { ErrorAlert } from "@/components/ui/alert";
import { Section } from "@/components/ui/section";
import { fullName } from "@/lib/core/access/permissions";
import { counted, date, duration, monthOf } from "@/lib/core/text/format";
import type { Thread } from "@/lib/forms/by-client/read";
import { THREAD_STEP, type ThreadQuery } from "@/lib/forms/by-client/schema";
import { isClosed } from "@/lib/forms/periods/closed";
import type { FormLists } from "@/lib/lookups/schema";

const totals = (forms: number, minutes: number) =>
  [counted(forms, "form"), duration(minutes)].filter(Boolean).join(", ");

/**
 * A client's forms as one thread, newest first, with totals by month. Only the lines are sent to the browser; it
 * requests a form when the form is opened.
 */
export function ClientThread({
  thread: { entries, count, months, types, years, failed },
  query,
  userId,
  closed,
  lists,
  from,
}: {
  thread: Thread & { failed: string | string[] | null };
  query: ThreadQuery;
  userId: number;
  /** The last closed day: forms through it cannot be changed. */
  closed: string | null;
  lists: FormLists;
  /** The query of links to the forms. */
  from: string;
}) {
  const choices = choicesOf(lists);
  const monthOfDay = (day: string) => day.slice(0, 7);
  const shownMonths = [...new Set(entries.map(({ serviceOn }) => monthOfDay(serviceOn)))].map((month) => {
    const total = months.find((one) => one.month === month);
    return {
      month,
      title: monthOf(`${month}-01`),
      totals: total ? totals(total.forms, total.minutes) : "",
      entries: entries
        .filter(({ serviceOn }) => monthOfDay(serviceOn) === month)
        .map(({ serviceOn, formType, form }) => ({
          id: form?.id ?? null,
          parts: form ? summaryOf(form, choices) : [date(serviceOn), formType],
          advocate: form && form.userId !== userId ? fullName(form.user) : "",
          reconciled: form?.reconciled ?? false,
          frozen: isClosed(serviceOn, closed),
        })),
    };
  });
  const sum = (key: "forms" | "minutes") => months.reduce((total, month) => total + month[key], 0);
  return (
    <Section
      title="Forms"
      actions={!failed && <p className="text-muted">{totals(sum("forms"), sum("minutes"))}</p>}
    >
      {failed ? (
        <ErrorAlert messages={failed} />
      ) : (
        <ThreadView
          months={shownMonths}
          olderCount={count - entries.length}
          step={THREAD_STEP}
          {...{ query, types, years, lists, from }}
        />
      )}
    </Section>
  );
}
