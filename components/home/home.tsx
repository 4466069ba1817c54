import { Fragment, type ReactNode } from "react";
import { PossibleDuplicates } from "@/components/clients/restrictions/possible-duplicates";
import { DraftOffer } from "@/components/forms/draft-offer";
import { ClosedReturn } from "@/components/forms/periods/closed-return";
import { RecordEntries } from "@/components/home/record-entries";
import { askedIn } from "@/components/reports/links";
import { BEGIN_AT_HOME } from "@/components/shell/landing";
import { LongStays } from "@/components/shelter/long-stays";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { LinkButton } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { PAGES, to } from "@/lib/core/pages";
import { counted, date, daysAgo, duration, today, whole } from "@/lib/core/text/format";
import type { Home as Data, Day, Waiting } from "@/lib/home/home";
import { reports } from "@/lib/reports/definitions";
import type { DueReport } from "@/lib/reports/overview";
import { periodName } from "@/lib/reports/periods";
import { MOVE_IN_HASH } from "@/lib/shelter/words";

/** A number as a link, wide enough for a finger even with one digit. */
const NUMBER = "link min-w-6 justify-end text-right max-sm:min-w-11 pointer-coarse:min-w-11";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Shows open work, then a row to start something new, then the time of this week. A part without content is left out. */
export function Home({ userId, isNew, ...home }: Data) {
  const waits = waitingParts({ userId, ...home });
  return (
    <div className="stack max-w-3xl">
      {isNew && <FirstSteps />}
      {waits}
      {waits.length === 0 && !isNew && <p className="text-muted">Nothing is waiting for you.</p>}
      <Start {...home} />
      <Facts {...{ userId, ...home }} />
      <BrowserChoiceBox choice={BEGIN_AT_HOME} />
    </div>
  );
}

/** Returns the cards of what waits for the user, most urgent first. */
function waitingParts({
  userId,
  returned,
  drafts,
  waiting,
  answered,
  closing,
  due,
  longStays,
  openSeries,
  duplicates,
  administration,
}: Omit<Data, "isNew">): ReactNode[] {
  return [
    returned && returned.total > 0 && <Returned key="returned" {...{ returned, userId }} />,
    drafts && drafts.length > 0 && <DraftOffer key="drafts" drafts={drafts} showsAll />,
    waiting && waiting.length > 0 && <ToReview key="review" waiting={waiting} />,
    answered && <Answered key="answered" answered={answered} />,
    closing && <Closing key="closing" {...closing} />,
    due && due.length > 0 && <ReportsDue key="due" due={due} />,
    longStays && longStays.length > 0 && <LongStays key="stays" stays={longStays} />,
    openSeries && openSeries.length > 0 && <SeriesToEnd key="series" series={openSeries} />,
    duplicates && duplicates.length > 0 && <PossibleDuplicates key="duplicates" pairs={duplicates} />,
    administration && <Administration key="administration" {...administration} />,
  ].filter((part) => Boolean(part));
}

/** Everything that the user can start, in one row. */
function Start({ formTypes, entered, movesIn }: Pick<Data, "formTypes" | "entered" | "movesIn">) {
  if (!formTypes && entered.length === 0 && !movesIn) return null;
  return (
    <section className="print-hidden">
      <h2 className="mb-2 font-semibold text-muted">Start something new</h2>
      {/* Without space for all of them, forms and other records are in a line each. */}
      <div className="flex flex-wrap gap-2 *:flex *:flex-wrap *:gap-2 *:empty:hidden max-sm:*:contents max-sm:*:*:grow">
        <div>
          {formTypes?.map(({ id, name }) => (
            <LinkButton key={id} size="sm" href={`${to("formsNew")}?formTypeId=${id}`}>
              {name}
            </LinkButton>
          ))}
        </div>
        <div>
          <RecordEntries kinds={entered} />
          {movesIn && (
            <LinkButton size="sm" href={`${to("shelter")}#${MOVE_IN_HASH}`}>
              Move in
            </LinkButton>
          )}
        </div>
      </div>
    </section>
  );
}

/** Lines about the user's time and newest clients. */
function Facts({
  week,
  clients,
  ...who
}: Pick<Data, "week" | "clients" | "userId" | "entered" | "formTypes">) {
  const hasTime = week?.some(
    ({ minutes, contactMinutes, activityMinutes, sessionMinutes, eventMinutes }) =>
      minutes + contactMinutes + activityMinutes + sessionMinutes + eventMinutes > 0,
  );
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {week && hasTime && <Week days={week} {...who} />}
      {clients && clients.length > 0 && <Clients clients={clients} userId={who.userId} />}
    </div>
  );
}

function FirstSteps() {
  return (
    <Section title="Your first form">
      <ol className="list-decimal space-y-2 pl-5">
        <li>Choose the type of form below. A client who is new is recorded on the same screen.</li>
        <li>Fill out what you know and save. Until then, your work is kept as a draft on this page.</li>
        <li>A reviewer reads the form. If something is missing, it comes back here with a comment.</li>
      </ol>
    </Section>
  );
}

/** A card of rows, with their number in the title's line. */
const Waits = ({ title, count, children }: { title: string; count?: ReactNode; children?: ReactNode }) => (
  <Section title={title} actions={count && <p className="text-muted">{count}</p>}>
    {children && <ul className="link-list -my-2 divide-y divide-line">{children}</ul>}
  </Section>
);

/** A row of such a card: a link or name, and a fact about it. */
const Row = ({ fact, children }: { fact: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
    <span className="min-w-0 wrap-anywhere">{children}</span>
    <span className="text-muted">{fact}</span>
  </li>
);

function Returned({ returned, userId }: { returned: NonNullable<Data["returned"]>; userId: number }) {
  return (
    <Waits
      title="Returned to me"
      count={
        <Link
          href={`${to("formsList")}?filters[returned]=true&filters[userId]=${userId}`}
          className="link touch-link"
        >
          {counted(returned.total, "form")}
        </Link>
      }
    >
      {returned.forms.map(({ id, client, formType, serviceOn, comment, isAnswered }) => (
        <li key={id} className="py-2">
          <Link href={to("formsView", { id })} className="link">
            {`${client.name} · ${formType} · ${date(serviceOn)}`}
          </Link>
          <p className="line-clamp-2 wrap-anywhere">{comment}</p>
          {isAnswered && <p className="text-muted text-sm">You replied. Waiting for the reviewer.</p>}
          <ClosedReturn serviceOn={serviceOn} />
        </li>
      ))}
    </Waits>
  );
}

/** The number of advocates shown; the others are in the list of forms. */
const ADVOCATES_SHOWN = 6;

function ToReview({ waiting }: { waiting: readonly Waiting[] }) {
  const oldest = waiting.map((advocate) => advocate.oldest).sort()[0] ?? "";
  const list = `${to("formsList")}?filters[formStatus]=unreconciled`;
  const others = waiting.length - ADVOCATES_SHOWN;
  return (
    <Waits
      title="To review"
      count={
        <>
          <Link href={list} className="link touch-link">
            {counted(sum(waiting.map(({ forms }) => forms)), "form")}
          </Link>
          {`, the oldest from ${daysAgo(oldest)}`}
        </>
      }
    >
      {waiting.slice(0, ADVOCATES_SHOWN).map(({ id, name, forms, oldest }) => (
        <Row
          key={id}
          fact={
            <>
              <Link
                href={`${to("formsList")}?filters[userId]=${id}&sort=serviceOn&order=asc`}
                className="link"
              >
                {counted(forms, "form")}
              </Link>
              {` · oldest ${daysAgo(oldest)}`}
            </>
          }
        >
          {name}
        </Row>
      ))}
      {others > 0 && <Row fact="">{`and ${counted(others, "more advocate")}`}</Row>}
    </Waits>
  );
}

function Answered({ answered }: { answered: number }) {
  return (
    <Waits
      title="Answered"
      count={
        <>
          <Link href={`${to("formsList")}?filters[answered]=true`} className="link touch-link">
            {counted(answered, "form")}
          </Link>
          {" that you returned"}
        </>
      }
    />
  );
}

function Closing({ from, to: last, forms }: NonNullable<Data["closing"]>) {
  const list = `${to("formsList")}?filters[formStatus]=unreconciled&filters[from]=${from}&filters[to]=${last}`;
  return (
    <Waits
      title="Closing soon"
      count={
        <Link href={to("closedPeriods")} className="link touch-link">
          {PAGES.closedPeriods.title}
        </Link>
      }
    >
      <Row
        fact={
          forms ? (
            <Link href={list} className="link">
              {`${counted(forms, "form")} to review`}
            </Link>
          ) : (
            forms === 0 && "all forms reviewed"
          )
        }
      >
        {periodName({ from, to: last })}
      </Row>
    </Waits>
  );
}

function ReportsDue({ due }: { due: readonly DueReport[] }) {
  return (
    <Waits title="Reports due" count={periodName(due[0]?.quarter ?? { from: "", to: "" })}>
      {due.map(({ key, quarter, due }) => (
        <Row key={key} fact={due < today() ? `overdue since ${date(due)}` : `due ${date(due)}`}>
          <Link
            href={
              to("reportsShow", { report: key }) + askedIn({ ...quarter, userId: null, formTypeId: null })
            }
            className="link"
          >
            {reports[key].title}
          </Link>
        </Row>
      ))}
    </Waits>
  );
}

/** The series of which no session says how many different people all of them reached. */
function SeriesToEnd({ series }: { series: NonNullable<Data["openSeries"]> }) {
  return (
    <Waits title="Series without their people" count={`${whole(series.length)} series`}>
      {series.map(({ id, title }) => (
        <Row key={id} fact="How many different people in all sessions?">
          <Link href={`${to("recordsList", { records: "events" })}?filters[seriesId]=${id}`} className="link">
            {title}
          </Link>
        </Row>
      ))}
    </Waits>
  );
}

/** A line with a title. */
const Line = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="gap-x-3 sm:grid sm:grid-cols-[10rem_minmax(0,1fr)]">
    <h2 className="font-medium">{title}</h2>
    <p className="link-list min-w-0 text-muted wrap-anywhere">{children}</p>
  </section>
);

function Clients({ clients, userId }: { clients: NonNullable<Data["clients"]>; userId: number }) {
  return (
    <Line title="My newest clients">
      {clients.map(({ id, name }) => (
        <Link key={id} href={to("clientsShow", { id })} className="link mr-4">
          {name}
        </Link>
      ))}
      <Link href={`${to("clientsList")}?filters[userId]=${userId}`} className="link">
        All my clients
      </Link>
    </Line>
  );
}

function Week({
  days,
  userId,
  entered,
  formTypes,
}: { days: readonly Day[] } & Pick<Data, "userId" | "entered" | "formTypes">) {
  const ownDays = (first: string, last: string) =>
    `filters[userId]=${userId}&filters[from]=${first}&filters[to]=${last}`;
  const first = days[0]?.on ?? "";
  const last = days.at(-1)?.on ?? "";
  const now = today();
  // The minutes stay without the permission for their list.
  const ofForms = (first: string, last: string) =>
    formTypes ? `${to("formsList")}?filters[formStatus]=all&${ownDays(first, last)}` : to("reportsTime");
  const ofRecords = (records: "contacts" | "activities" | "events") =>
    entered.includes(records)
      ? `${to("recordsList", { records })}?${ownDays(first, last)}`
      : to("reportsTime");
  const parts = [
    { minutes: sum(days.map(({ minutes }) => minutes)), at: ofForms(first, last), after: " of services" },
    {
      minutes: days.find(({ on }) => on === now)?.minutes ?? 0,
      at: ofForms(now, now),
      after: " of them today",
    },
    {
      minutes: sum(days.map(({ contactMinutes }) => contactMinutes)),
      at: ofRecords("contacts"),
      after: " of contacts",
    },
    {
      minutes: sum(days.map(({ activityMinutes }) => activityMinutes)),
      at: ofRecords("activities"),
      after: " of activities",
    },
    {
      minutes: sum(days.map(({ sessionMinutes }) => sessionMinutes)),
      at: to("reportsTime"),
      after: " of group sessions (not included in total)",
    },
    {
      minutes: sum(days.map(({ eventMinutes }) => eventMinutes)),
      at: ofRecords("events"),
      after: " of events",
    },
  ].filter(({ minutes }) => minutes > 0);
  return (
    <Line title="My time this week">
      {parts.map(({ minutes, at, after }, index) => (
        <Fragment key={after}>
          {index > 0 && (
            <>
              {" "}
              <span className="max-sm:hidden">·</span>{" "}
            </>
          )}
          <Link href={at} className="link">
            {duration(minutes)}
            {after}
          </Link>
        </Fragment>
      ))}
    </Line>
  );
}

function Administration({
  invited,
  mailFailed,
  lastBackup,
  failedBackup,
}: NonNullable<Data["administration"]>) {
  return (
    <Waits title="Administration">
      {invited > 0 && (
        <Row
          fact={
            <Link href={`${to("usersList")}?filters[status]=invited`} className={NUMBER}>
              {invited}
            </Link>
          }
        >
          Pending invitations
        </Row>
      )}
      {mailFailed > 0 && (
        <Row
          fact={
            <Link href={to("usersList")} className={NUMBER}>
              {mailFailed}
            </Link>
          }
        >
          Undelivered email
        </Row>
      )}
      <Row fact={lastBackup || "None yet"}>Last backup</Row>
      {failedBackup && (
        <Row fact={<span className="text-danger">{failedBackup}</span>}>
          <span className="text-danger">Failed backup</span>
        </Row>
      )}
    </Waits>
  );
}
