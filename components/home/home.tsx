import { PossibleDuplicates } from "@/components/clients/restrictions/possible-duplicates";
import { QuickEntry } from "@/components/contacts/quick-entry";
import { DraftOffer } from "@/components/forms/draft-offer";
import { BEGIN_AT_HOME } from "@/components/shell/landing";
import { LongStays } from "@/components/shelter/long-stays";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { LinkButton } from "@/components/ui/controls";
import { PlusIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { counted, date, daysAgo, minutes as hours } from "@/lib/core/fields/format";
import { PAGES, to } from "@/lib/core/pages";
import type { Home as Data, Day, Waiting } from "@/lib/home/home";

const weekday = (day: string) =>
  new Date(day).toLocaleDateString("en-US", { weekday: "short", timeZone: "UTC" });
/** A number as a link, wide enough for a finger even with one digit. */
const NUMBER = "link inline-block min-w-6 text-right";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The user's open work and time this week. Each number links to the list it counts. A part without content is left out. */
export function Home({ userId, contacts, formTypes, isNew, ...home }: Data) {
  const { returned, drafts, week, clients, waiting, answered, administration, duplicates, longStays } = home;
  return (
    <div className="stack">
      {formTypes && <NewForm formTypes={formTypes} />}
      {contacts && (
        <Section title="Record a contact" className="print-hidden">
          <QuickEntry choices={contacts} />
        </Section>
      )}
      {isNew && <FirstSteps />}
      {drafts && <DraftOffer drafts={drafts} showsAll />}
      <div className="grid grid-cols-1 items-start gap-4 empty:hidden lg:grid-cols-2">
        {returned && returned.total > 0 && <Returned returned={returned} userId={userId} />}
        {answered !== null && answered > 0 && <Answered answered={answered} />}
        {waiting && waiting.length > 0 && <ToReview waiting={waiting} />}
        {week?.some((day) => day.minutes + day.contactMinutes + day.activityMinutes > 0) && (
          <Week days={week} userId={userId} />
        )}
        {clients && clients.length > 0 && <Clients clients={clients} userId={userId} />}
        {duplicates && duplicates.length > 0 && <PossibleDuplicates pairs={duplicates} />}
        {longStays && longStays.length > 0 && <LongStays stays={longStays} />}
        {administration && <Administration {...administration} />}
      </div>
      <BrowserChoiceBox choice={BEGIN_AT_HOME} />
    </div>
  );
}

function NewForm({ formTypes }: { formTypes: NonNullable<Data["formTypes"]> }) {
  return (
    <Section title={PAGES.formsNew.title} className="print-hidden">
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        {formTypes.map(({ id, name }) => (
          <LinkButton key={id} href={`${to("formsNew")}?formTypeId=${id}`} icon={<PlusIcon />}>
            {name}
          </LinkButton>
        ))}
      </div>
    </Section>
  );
}

function FirstSteps() {
  return (
    <Section title="Your first form">
      <ol className="list-decimal space-y-2 pl-5">
        <li>Choose the type of form above. A client who is new is recorded on the same screen.</li>
        <li>Fill out what you know and save. Until then, your work is kept as a draft on this page.</li>
        <li>A reviewer reads the form. If something is missing, it comes back here with a comment.</li>
      </ol>
    </Section>
  );
}

function Returned({ returned, userId }: { returned: NonNullable<Data["returned"]>; userId: number }) {
  return (
    <Section title="Returned to me">
      <p>
        <Link href={`${to("formsList")}?filters[returned]=true&filters[userId]=${userId}`} className="link">
          {counted(returned.total, "form")}
        </Link>
      </p>
      <ul className="stack">
        {returned.forms.map(({ id, client, formType, serviceOn, comment, isAnswered }) => (
          <li key={id}>
            <Link href={to("formsView", { id })} className="link">
              {`${client.name} · ${formType} · ${date(serviceOn)}`}
            </Link>
            <p className="line-clamp-2 wrap-anywhere">{comment}</p>
            {isAnswered && <p className="text-muted text-sm">You replied. Waiting for the reviewer.</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Answered({ answered }: { answered: number }) {
  return (
    <Section title="Answered">
      <p>
        <Link href={`${to("formsList")}?filters[answered]=true`} className="link">
          {counted(answered, "form")}
        </Link>
        {" that you returned"}
      </p>
    </Section>
  );
}

function Clients({ clients, userId }: { clients: NonNullable<Data["clients"]>; userId: number }) {
  return (
    <Section title="My newest clients">
      <ul className="link-list flex flex-col gap-1">
        {clients.map(({ id, name, createdOn }) => (
          <li key={id} className="flex items-baseline justify-between gap-3">
            <Link href={to("clientsShow", { id })} className="link wrap-anywhere">
              {name}
            </Link>
            <span className="text-muted">{date(createdOn)}</span>
          </li>
        ))}
      </ul>
      <p>
        <Link href={`${to("clientsList")}?filters[userId]=${userId}`} className="link">
          All my clients
        </Link>
      </p>
    </Section>
  );
}

function Administration({
  invited,
  mailFailed,
  lastBackup,
  failedBackup,
}: NonNullable<Data["administration"]>) {
  return (
    <Section title="Administration">
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 [&>dd]:text-right">
        <dt>Pending invitations</dt>
        <dd>
          <Link href={`${to("usersList")}?filters[status]=invited`} className={NUMBER}>
            {invited}
          </Link>
        </dd>
        <dt>Undelivered email</dt>
        <dd>
          <Link href={to("usersList")} className={NUMBER}>
            {mailFailed}
          </Link>
        </dd>
        <dt>Last backup</dt>
        <dd>{lastBackup || "None yet"}</dd>
        {failedBackup && (
          <>
            <dt className="text-danger">Failed backup</dt>
            <dd className="text-danger">{failedBackup}</dd>
          </>
        )}
      </dl>
    </Section>
  );
}

/** The height of the longest bar, in pixels. */
const BAR_PX = 40;

function Week({ days, userId }: { days: readonly Day[]; userId: number }) {
  const formsOf = (first: string, last: string) =>
    `${to("formsList")}?filters[formStatus]=all&filters[userId]=${userId}&filters[from]=${first}&filters[to]=${last}`;
  const [first, last] = [days[0]?.on ?? "", days.at(-1)?.on ?? ""];
  const most = Math.max(1, ...days.map(({ minutes }) => minutes));
  const apart = [
    {
      minutes: sum(days.map(({ contactMinutes }) => contactMinutes)),
      list: to("contactsList"),
      words: " of contacts (not included in total)",
    },
    {
      minutes: sum(days.map(({ activityMinutes }) => activityMinutes)),
      list: to("recordsList", { records: "activities" }),
      words: " of activities (not included in total)",
    },
  ].filter(({ minutes }) => minutes > 0);
  return (
    <Section title="My time this week">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 tabular-nums">
        <div>
          <p>
            <Link href={formsOf(first, last)} className="link">
              {hours(sum(days.map(({ minutes }) => minutes)))}
            </Link>
            {" (HH:MM)"}
          </p>
          {apart.map(({ minutes, list, words }) => (
            <p key={list}>
              <Link
                href={`${list}?filters[userId]=${userId}&filters[from]=${first}&filters[to]=${last}`}
                className="link"
              >
                {hours(minutes)}
              </Link>
              {words}
            </p>
          ))}
        </div>
        <ol className="flex w-77 max-w-full">
          {days.map(({ on, minutes }) => (
            <li key={on} className="flex min-w-0 flex-1 flex-col items-center justify-end text-xs">
              {minutes > 0 && (
                <Link href={formsOf(on, on)} className="link" aria-label={`${hours(minutes)} on ${date(on)}`}>
                  {hours(minutes)}
                </Link>
              )}
              <span
                aria-hidden="true"
                className="chart-bar w-5 rounded-t-sm border-line border-b"
                style={{ height: (minutes / most) * BAR_PX + 1 }}
              />
              <span className="text-muted">{weekday(on)}</span>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}

function ToReview({ waiting }: { waiting: readonly Waiting[] }) {
  const oldest = waiting.map((advocate) => advocate.oldest).sort()[0] ?? "";
  return (
    <Section title="To review">
      <p>
        <Link href={`${to("formsList")}?filters[formStatus]=unreconciled`} className="link">
          {counted(sum(waiting.map(({ forms }) => forms)), "form")}
        </Link>
        {` to review, the oldest from ${daysAgo(oldest)}.`}
      </p>
      <ul className="link-list flex flex-col gap-1">
        {waiting.map(({ id, name, forms, oldest }) => (
          <li key={id} className="flex items-baseline justify-between gap-x-3">
            <span className="wrap-anywhere">{name}</span>
            <span className="flex shrink-0 gap-x-2 max-sm:flex-col max-sm:items-end sm:items-baseline">
              <Link
                href={`${to("formsList")}?filters[userId]=${id}&sort=serviceOn&order=asc`}
                className="link"
              >
                {counted(forms, "form")}
              </Link>
              <span className="text-muted">{`oldest ${daysAgo(oldest)}`}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
