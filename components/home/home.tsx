import { PossibleDuplicates } from "@/components/clients/restrictions/possible-duplicates";
import { QuickEntry } from "@/components/contacts/quick-entry";
import { BEGIN_AT_HOME } from "@/components/shell/landing";
import { LongStays } from "@/components/shelter/long-stays";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { counted, date, daysAgo, minutes as hours } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import type { Home as Data, Day, Waiting } from "@/lib/home/home";

/** `Mon 03/04/2026` */
const weekday = (day: string) =>
  `${new Date(day).toLocaleDateString("en-US", { weekday: "short", timeZone: "UTC" })} ${date(day)}`;
/** A number as a link, wide enough for a finger even with one digit. */
const NUMBER = "link inline-block min-w-6 text-right";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The user's open work and time this week. Each number links to the list it counts. */
export function Home(home: Data) {
  const {
    userId,
    returned,
    drafts,
    week,
    clients,
    waiting,
    answered,
    administration,
    duplicates,
    contacts,
    longStays,
  } = home;
  const cards = [
    returned && {
      isEmpty: returned.total === 0,
      card: <Returned key="returned" returned={returned} userId={userId} />,
    },
    drafts !== null && { isEmpty: drafts === 0, card: <Drafts key="drafts" drafts={drafts} /> },
    week && { isEmpty: false, card: <Week key="week" days={week} userId={userId} /> },
    clients && {
      isEmpty: clients.length === 0,
      card: <Clients key="clients" clients={clients} userId={userId} />,
    },
    waiting && {
      isEmpty: waiting.length === 0,
      card: <ToReview key="waiting" waiting={waiting} answered={answered ?? 0} />,
    },
    duplicates !== null &&
      duplicates.length > 0 && {
        isEmpty: false,
        card: <PossibleDuplicates key="duplicates" pairs={duplicates} />,
      },
    longStays !== null &&
      longStays.length > 0 && { isEmpty: false, card: <LongStays key="long stays" stays={longStays} /> },
    administration && { isEmpty: false, card: <Administration key="administration" {...administration} /> },
  ].filter((part) => part !== null && part !== false);
  return (
    <div className="stack">
      {contacts && (
        <Section title="Record a contact">
          <QuickEntry choices={contacts} />
        </Section>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {/* Empty cards come last. */}
        {[false, true].map((empty) =>
          cards.filter(({ isEmpty }) => isEmpty === empty).map(({ card }) => card),
        )}
      </div>
      <BrowserChoiceBox choice={BEGIN_AT_HOME} />
    </div>
  );
}

function Returned({ returned, userId }: { returned: NonNullable<Data["returned"]>; userId: number }) {
  return (
    <Section title="Returned to me">
      {returned.total === 0 ? (
        <p className="text-muted">No forms have been returned to you.</p>
      ) : (
        <>
          <p>
            <Link
              href={`${to("formsList")}?filters[returned]=true&filters[userId]=${userId}`}
              className="link"
            >
              {counted(returned.total, "form")}
            </Link>
          </p>
          <ul className="stack">
            {returned.forms.map(({ id, client, formType, serviceOn, comment }) => (
              <li key={id}>
                <Link href={to("formsEdit", { id })} className="link">
                  {`${client.name} · ${formType} · ${date(serviceOn)}`}
                </Link>
                <p className="line-clamp-2 wrap-anywhere">{comment}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function Drafts({ drafts }: { drafts: number }) {
  return (
    <Section title="My drafts">
      {drafts === 0 ? (
        <p className="text-muted">No drafts.</p>
      ) : (
        <p>
          <Link href={to("formsList")} className="link">
            {counted(drafts, "draft")}
          </Link>{" "}
          above the forms list
        </p>
      )}
    </Section>
  );
}

function Clients({ clients, userId }: { clients: NonNullable<Data["clients"]>; userId: number }) {
  return (
    <Section title="My newest clients">
      {clients.length === 0 ? (
        <p className="text-muted">You have not recorded any clients yet.</p>
      ) : (
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
      )}
      <p>
        <Link href={`${to("clientsList")}?filters[userId]=${userId}`} className="link">
          All my clients
        </Link>
      </p>
    </Section>
  );
}

function Administration({ invited, mailFailed, lastBackup }: NonNullable<Data["administration"]>) {
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
      </dl>
    </Section>
  );
}

function Week({ days, userId }: { days: readonly Day[]; userId: number }) {
  const formsOf = (first: string, last: string) =>
    `${to("formsList")}?filters[formStatus]=all&filters[userId]=${userId}&filters[from]=${first}&filters[to]=${last}`;
  const [first, last] = [days[0]?.on ?? "", days.at(-1)?.on ?? ""];
  const ofContacts = sum(days.map(({ contactMinutes }) => contactMinutes));
  return (
    <Section title="My time this week" description="Hours and minutes (HH:MM)">
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums">
        {days.map(({ on, minutes }) => (
          <div key={on} className="contents">
            <dt>{weekday(on)}</dt>
            <dd className="text-right">
              {minutes > 0 ? (
                <Link href={formsOf(on, on)} className={NUMBER}>
                  {hours(minutes)}
                </Link>
              ) : (
                hours(0)
              )}
            </dd>
          </div>
        ))}
        <dt className="font-semibold">Total</dt>
        <dd className="text-right font-semibold">
          <Link href={formsOf(first, last)} className={NUMBER}>
            {hours(sum(days.map(({ minutes }) => minutes)))}
          </Link>
        </dd>
        {ofContacts > 0 && (
          <>
            <dt>Contacts (not included in total)</dt>
            <dd className="text-right">
              <Link
                href={`${to("contactsList")}?filters[userId]=${userId}&filters[from]=${first}&filters[to]=${last}`}
                className={NUMBER}
              >
                {hours(ofContacts)}
              </Link>
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}

function ToReview({ waiting, answered }: { waiting: readonly Waiting[]; answered: number }) {
  const oldest = waiting.map((advocate) => advocate.oldest).sort()[0];
  return (
    <Section title="To review">
      {oldest === undefined ? (
        <p className="text-muted">All forms are reconciled.</p>
      ) : (
        <>
          {answered > 0 && (
            <p>
              <Link href={`${to("formsList")}?filters[answered]=true`} className="link">
                {`Answered: ${answered}`}
              </Link>
            </p>
          )}
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
        </>
      )}
    </Section>
  );
}
