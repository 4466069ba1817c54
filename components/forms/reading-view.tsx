import { Fragment, type ReactNode } from "react";
import { SERVICES_TITLE, servicesHeadings, totalWords } from "@/components/forms/fields";
import {
  type FormReading,
  type PlacedChanges,
  placeChanges,
  type ReadingBlock,
  readForm,
  type ServiceLine,
} from "@/components/forms/reading";
import type { FormValues, Rules } from "@/components/forms/values";
import type { Reading, ReadingRow } from "@/components/record/reading";
import { OrganizationLogo } from "@/components/shell/brand";
import { groupsOf, InTurn } from "@/components/ui/in-turn";
import type { Brand } from "@/lib/core/branding/brand";
import { date } from "@/lib/core/text/format";
import { CHANGED_UNKNOWN, NOTHING_CHANGED, type SinceCheck } from "@/lib/forms/review/since-check";

const NOTHING_PLACED: PlacedChanges = { rows: new Map(), lines: new Map(), others: [] };

/** The head of a print: the organization, a title, and facts about the record. */
export function PrintHead({ brand, title, rows }: { brand: Brand; title: ReactNode; rows: HeadRow[] }) {
  return (
    <header className="mb-4 border-line border-b pb-2">
      <p className="flex items-center gap-3">
        {brand.logo && <OrganizationLogo src={brand.logo} className="h-10" />}
        {brand.organization}
      </p>
      <h2 className="font-semibold text-xl">{title}</h2>
      <Rows rows={rows.map((row) => ({ path: row.label, ...row }))} />
    </header>
  );
}
type HeadRow = Omit<ReadingRow, "path">;

/** The last line of a print: where to get help. */
export const PrintFoot = ({ brand }: { brand: Brand }) =>
  brand.help ? (
    <p className="mt-4 whitespace-pre-line border-line border-t pt-2 text-sm">{brand.help}</p>
  ) : null;

/** The heading of a form to read: client, type and day, then who recorded it. */
export function ReadingHead({
  client,
  formType,
  serviceOn,
  advocate,
}: {
  client: string;
  formType: string;
  serviceOn: string;
  advocate: string;
}) {
  return (
    <header className="print-hidden mb-4">
      <h2 className="font-semibold text-xl wrap-anywhere">{readingTitle(client, formType, serviceOn)}</h2>
      <p className="text-muted">{`Recorded by ${advocate}`}</p>
    </header>
  );
}

/** Returns the name of a form for people: client, type and day. */
export const readingTitle = (client: string, formType: string, serviceOn: string): string =>
  [client, formType, date(serviceOn)].join(" · ");

/**
 * A form to read, on screen and on paper. It begins with the missing information for funder reports. It shows only what
 * was entered, and marks the changes since the last check in place. On paper, each section also names its boxes that are
 * not ticked. If `withClient` is false, without the client's parts.
 */
export function ReadingView({
  values,
  rules,
  withClient = true,
  reading = readForm(values, rules, withClient),
  changed = NOTHING_CHANGED,
  phone,
}: {
  values: FormValues;
  rules: Rules;
  withClient?: boolean;
  /** The reading of the values, if the caller has it. */
  reading?: FormReading;
  changed?: SinceCheck;
  /** The client's phone number with its badge, if it was entered. */
  phone?: ReactNode;
}) {
  // A stored form's rows are in its order.
  const placed = placeChanges(reading, changed.changes, Object.keys(values.form.serviceEntry.rows));
  return (
    <>
      {changed.isUnknown && (
        <p className="mt-2">
          <span className="border-warning border-l-4 bg-warning-soft px-1 text-sm">{CHANGED_UNKNOWN}</span>
        </p>
      )}
      {reading.missing.length > 0 && <Missing missing={reading.missing} />}
      <ReadingBlocks blocks={reading.blocks} placed={placed} phone={phone} />
      {reading.services && <Services services={reading.services} placed={placed} />}
      {placed.others.length > 0 && (
        <Block title="Also changed since it was last checked">
          <ul>
            {placed.others.map(({ section, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may change alike, and the list does not change
              <li key={index} className="wrap-anywhere whitespace-pre-line">
                <Changed>{section ? `${section}: ${text}` : text}</Changed>
              </li>
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

const Missing = ({ missing }: Pick<FormReading, "missing">) => (
  <section className="mt-3 break-inside-avoid rounded-lg border border-transparent bg-warning-soft px-4 py-3 print:border-0 print:p-0">
    <h3 className="font-semibold">Missing information for funder reports</h3>
    <ul>
      {missing.map(({ title, labels }) => (
        <li key={title}>{`${title}: ${labels.join(", ")}`}</li>
      ))}
    </ul>
  </section>
);

/** Titled parts of a record to read. */
export const ReadingBlocks = ({
  blocks,
  placed = NOTHING_PLACED,
  phone,
}: {
  blocks: readonly ReadingBlock[];
  placed?: PlacedChanges;
  phone?: ReactNode;
}) =>
  blocks.map(({ title, ...read }) => (
    // A part with nothing but boxes that are not ticked is only on paper.
    <Block key={title} title={title} paperOnly={read.parts.length === 0}>
      <Parts {...read} placed={placed} phone={phone} />
    </Block>
  ));

function Block({
  title,
  paperOnly = false,
  children,
}: {
  title: string;
  paperOnly?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={`mt-5 break-inside-avoid print:mt-3 ${paperOnly ? "print-only" : ""}`}>
      <h3 className="mb-1 border-line border-b pb-1 font-semibold text-lg">{title}</h3>
      {children}
    </section>
  );
}

/** A change since the last check, marked by a word and a line, not by color alone. */
const Changed = ({ children }: { children: ReactNode }) => (
  <span className="border-warning border-l-4 bg-warning-soft px-1 text-sm">
    <span className="font-semibold">Changed: </span>
    {children}
  </span>
);

const Marks = ({ texts = [] }: { texts: readonly string[] | undefined }) =>
  texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
    <span key={index} className="block">
      <Changed>{text}</Changed>
    </span>
  ));

function Services({
  services: { lines, total, other },
  placed,
}: {
  services: NonNullable<FormReading["services"]>;
  placed: PlacedChanges;
}) {
  const { code, referral, minutes } = servicesHeadings();
  // A column without a text in any row would be empty space.
  const hasReferrals = referral !== null && lines.some(({ referrals }) => referrals && !isLong(referrals));
  const columns = hasReferrals ? 3 : 2;
  return (
    <Block title={SERVICES_TITLE}>
      {lines.length > 0 && (
        <table className="w-full text-left">
          <thead>
            <tr className="text-muted text-sm">
              <th scope="col" className={`${CELL} font-medium ${hasReferrals ? "sm:w-1/2" : ""}`}>
                {code}
              </th>
              {hasReferrals && (
                <th scope="col" className={`${CELL} font-medium ${NOT_ON_PHONES}`}>
                  {referral}
                </th>
              )}
              <th scope="col" className={`${NUMBER} font-medium sm:whitespace-nowrap`}>
                {minutes}
              </th>
            </tr>
          </thead>
          <tbody>
            {groupsOf(lines, LINES_AT_ONCE).map((group, turn) => (
              <InTurn key={group[0]?.key} turn={turn}>
                {group.map((line) => (
                  <ServiceRows
                    key={line.key}
                    changes={placed.lines.get(line.key)}
                    {...{ line, columns, hasReferrals }}
                  />
                ))}
              </InTurn>
            ))}
          </tbody>
          <tfoot>
            <tr className="border-line border-t">
              <td colSpan={columns} className={`${NUMBER} font-semibold`}>
                {totalWords(total)}
              </td>
            </tr>
          </tfoot>
        </table>
      )}
      <Rows rows={other} placed={placed} />
    </Block>
  );
}

const CELL = "py-2 pr-4 wrap-anywhere print:py-1";
const NUMBER = "py-2 text-right tabular-nums print:py-1";

/** The characters above which a referral is under its code, not in the narrow column. */
const LONG_REFERRAL = 1_000;
const NOT_ON_PHONES = "max-sm:hidden print:table-cell";

const isLong = (referrals: string) => referrals.length > LONG_REFERRAL;

function ServiceRows({
  line: { code, name, referrals, minutes, details },
  changes,
  columns,
  hasReferrals,
}: {
  line: ServiceLine;
  changes: readonly string[] | undefined;
  /** The number of the table's columns. */
  columns: number;
  /** True if the table has a column for referrals. */
  hasReferrals: boolean;
}) {
  const hasDetails = details.some(({ parts, unticked }) => parts.length + unticked.length > 0);
  return (
    <>
      <tr className="border-line border-t align-top">
        <td className={CELL}>
          {name && name !== code ? (
            <>
              {name} <span className="inline-block text-muted text-sm">{code}</span>
            </>
          ) : (
            code
          )}
          {/* On a phone, the column would leave no space for the other text, and a long text needs the whole width. */}
          {referrals && (
            <span
              className={`block ${isLong(referrals) ? "" : "sm:hidden print:hidden"}`}
            >{`Referral: ${referrals}`}</span>
          )}
          <Marks texts={changes} />
        </td>
        {hasReferrals && (
          <td className={`${CELL} ${NOT_ON_PHONES}`}>{isLong(referrals) ? null : referrals}</td>
        )}
        <td className={NUMBER}>{minutes}</td>
      </tr>
      {hasDetails && (
        <tr>
          <td colSpan={columns} className="pb-2 pl-4">
            {details.map((read, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: at most one part of each kind, in a fixed order
              <Parts key={index} {...read} placed={NOTHING_PLACED} />
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

function Parts({
  parts,
  unticked,
  placed,
  phone,
}: Omit<Reading, "missing"> & { placed: PlacedChanges; phone?: ReactNode }) {
  return (
    <>
      {parts.map(({ legend, rows }) => (
        <div key={`${legend} ${rows[0]?.path}`}>
          {legend && <p className="mt-2 font-semibold">{legend}</p>}
          <Rows rows={rows} placed={placed} phone={phone} />
        </div>
      ))}
      {unticked.length > 0 && <p className="print-only my-1">{`No: ${unticked.join(", ")}`}</p>}
    </>
  );
}

/** The characters above which a text has its own line, and a label needs more space than a column has. */
const LONG_TEXT = 28;
const LONG_LABEL = 30;

/** The lines of services, and the fields, that the server renders at once. Each may have a text of 10,000 characters. */
const LINES_AT_ONCE = 50;
const ROWS_AT_ONCE = 40;

/** Allows a line break after a slash, rather than within a word. */
const breakable = (label: string) =>
  label.split("/").map((part, index) => (
    <Fragment key={part}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));

/** Two pairs on a line, with labels of one width in the whole view. */
const PAIRS = {
  list: "@3xl:grid-cols-2 print:grid-cols-2",
  row: "sm:grid-cols-[14rem_minmax(0,1fr)] print:grid-cols-[10rem_minmax(0,1fr)]",
  long: "@3xl:col-span-2 print:col-span-2",
};
/** One pair on a line, with as much space for labels as the longest one needs. */
const LINES = {
  list: "sm:grid-cols-[fit-content(28rem)_minmax(0,1fr)] print:grid-cols-[fit-content(28rem)_minmax(0,1fr)]",
  row: "sm:col-span-2 sm:grid-cols-subgrid print:col-span-2 print:grid-cols-subgrid",
  long: "",
};

/** Labels with their values: two pairs on a line if there is space, a long text on its own line. */
function Rows({
  rows,
  placed = NOTHING_PLACED,
  phone,
}: {
  rows: readonly ReadingRow[];
  placed?: PlacedChanges;
  phone?: ReactNode;
}) {
  if (rows.length === 0) return null;
  const layout = rows.some(({ label }) => label.length > LONG_LABEL) ? LINES : PAIRS;
  return (
    <div className="@container">
      <dl className={`grid gap-x-8 ${layout.list}`}>
        {groupsOf(rows, ROWS_AT_ONCE).map((group, turn) => (
          <InTurn key={group[0]?.path} turn={turn}>
            {group.map(({ path, label, text, isPhone }) => (
              <div
                key={path}
                className={`grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3 max-[20rem]:grid-cols-1 py-1 print:py-0.5 ${layout.row} ${isPhone || text.length > LONG_TEXT ? layout.long : ""} ${isPhone ? "max-sm:grid-cols-1" : ""}`}
              >
                <dt className="break-words text-muted">{breakable(label)}</dt>
                <dd className="whitespace-pre-line wrap-anywhere">
                  {(isPhone && phone) || text}
                  <Marks texts={placed.rows.get(path)} />
                </dd>
              </div>
            ))}
          </InTurn>
        ))}
      </dl>
    </div>
  );
}
