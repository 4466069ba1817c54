import { Suspense } from "react";
import { StatusBadge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/controls";
import { EmptyState } from "@/components/ui/empty-state";
import { ChartIcon, PlusIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { PAGES, to } from "@/lib/core/pages";
import { counted, date, peopleWords, whole } from "@/lib/core/text/format";
import type { AnswerField, Answers } from "@/lib/reports/answers";
import { SUPPRESSION_NOTE } from "@/lib/reports/csv";
import { reports } from "@/lib/reports/definitions";
import type { Months, ReportState, Shared } from "@/lib/reports/overview";
import { periodName, quarterOf } from "@/lib/reports/periods";
import { AnswersChart } from "./answers-chart";
import { askedIn } from "./links";
import { MonthChart } from "./month-chart";
import { stateBadge } from "./state-badge";

type StatesProps = { today: string; readStates: () => Promise<ReportState[]> };

type Props = StatesProps & {
  /** Null if reading them took too long. */
  months: Months | null;
  /** The fields whose answers can be shown, and the chosen one. */
  fields: readonly AnswerField[];
  field: string;
  readAnswers: () => Promise<Answers | "slow" | null>;
  /** True if the reader may record forms, with which the charts begin. */
  writesForms: boolean;
};

/** The state of the funders' reports, and the organization's work this quarter and in the last twelve months. */
export function Overview({ months, today, readStates, fields, field, readAnswers, writesForms }: Props) {
  if (months?.months.every(({ served, forms }) => served === 0 && forms === 0))
    return (
      <div className="stack">
        <StatesSection {...{ today, readStates }} />
        <div className="card">
          <EmptyState
            icon={<ChartIcon />}
            action={
              writesForms && (
                <LinkButton href={to("formsNew")} variant="primary" icon={<PlusIcon />}>
                  {PAGES.formsNew.title}
                </LinkButton>
              )
            }
          >
            No services in the last two years. The charts begin with the first form.
          </EmptyState>
        </div>
      </div>
    );
  return (
    <div className="stack">
      <StatesSection {...{ today, readStates }} />
      {months ? (
        <>
          <div>
            <h2 className="font-semibold text-xl">{`${peopleWords(months.served)} served this quarter`}</h2>
            <p className="text-muted">
              {`${periodName(months.quarter)} so far. Last year, whole quarter: ${whole(months.servedBefore)}`}
            </p>
          </div>
          <MonthChart months={months.months} yearStart={months.yearStart} />
        </>
      ) : (
        <p>The chart is taking too long to load right now.</p>
      )}
      <Suspense key={field} fallback={<p className="text-muted">Loading…</p>}>
        <AnswersChart fields={fields} chosen={field} read={readAnswers} />
      </Suspense>
    </div>
  );
}

/** The state of the funders' reports for readers without All Forms, with two numbers of copies for sharing. */
export function SharedOverview({
  today,
  readStates,
  readShared,
}: StatesProps & { readShared: () => Promise<{ shared: Shared | null }> }) {
  return (
    <div className="stack">
      <StatesSection {...{ today, readStates }} />
      <Suspense fallback={<p className="text-muted">Loading…</p>}>
        <FromCopies read={readShared} />
      </Suspense>
    </div>
  );
}

const StatesSection = ({ today, readStates }: StatesProps) => (
  <Section title="Funders’ reports">
    <Suspense fallback={<p className="text-muted">Loading…</p>}>
      <States today={today} read={readStates} />
    </Suspense>
  </Section>
);

/** The people served in the last complete quarter, as copies for sharing show them. */
async function FromCopies({ read }: { read: () => Promise<{ shared: Shared | null }> }) {
  const { shared } = await read();
  if (!shared) return <p>The numbers are taking too long to load right now.</p>;
  return (
    <div>
      <h2 className="font-semibold text-xl">{`${shared.served} people served in ${periodName(shared.quarter)}`}</h2>
      <p className="text-muted">
        {`In the same quarter a year before: ${shared.servedBefore}. These numbers are those of copies for sharing. ${SUPPRESSION_NOTE}`}
      </p>
    </div>
  );
}

async function States({ today, read }: { today: string; read: StatesProps["readStates"] }) {
  const states = await read();
  return (
    <ul className="link-list divide-y divide-line">
      {states.map((state) => (
        <li key={state.key} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
          <Link
            className="link font-medium"
            href={
              to("reportsShow", { report: state.key }) +
              (state.copy
                ? askedIn({ ...state.copy, userId: null, formTypeId: null }, { share: "true" })
                : "")
            }
          >
            {reports[state.key].title}
          </Link>
          <span className="min-w-0 flex-1 basis-56 text-muted max-sm:basis-full">
            {periodName(state.quarter) + (state.due ? `, due ${date(state.due)}` : ", not due")}
            {state.isEmpty && !state.copy && (
              <>
                {" · "}
                <Link
                  className="link"
                  href={
                    to("reportsShow", { report: state.key }) +
                    askedIn({ ...quarterOf(today), userId: null, formTypeId: null })
                  }
                >
                  {`${periodName(quarterOf(today))} so far`}
                </Link>
              </>
            )}
          </span>
          <span className="flex items-center gap-x-4 max-sm:flex-row-reverse">
            {(state.gaps ?? 0) > 0 && <span>{counted(state.gaps ?? 0, "gap")}</span>}
            <StatusBadge badge={stateBadge(state, today)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
