import { Fragment, type ReactNode } from "react";
import { SERVICES_TITLE, servicesHeadings, showsReferrals, totalWords } from "@/components/forms/fields";
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
import { type Brand, OrganizationLogo } from "@/components/shell/brand";
import { groupsOf, InTurn } from "@/components/ui/in-turn";
import { CHANGED_UNKNOWN, NOTHING_CHANGED, type SinceCheck } from "@/lib/forms/review/since-check";

const NOTHING_PLACED: PlacedChanges = { rows: new Map(), lines: new Map(), others: [] };

/** The head of a print: the organization, a title, and facts about the record. */
export function PrintHead({ brand, title, rows }: { brand: Brand; title: ReactNode; rows: HeadRow[] }) {
  return (
    <header className="mb-4 border-line border-b pb-2">
      <p className="flex items-center gap-3">
        {brand.hasLogo && <OrganizationLogo className="h-10" />}
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
  brand.help ? <p className="mt-4 border-line border-t pt-2 text-sm">{brand.help}</p> : null;

/**
 * A form to read, on screen and on paper. It shows only what was entered, and marks the changes since the last check in
 * place. The end lists missing information for funder reports. On paper, each section also names its boxes that are not
 * ticked. If `withClient` is false, without the client's parts.
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
      {reading.missing.length > 0 && (
        <Block title="Missing information for funder reports">
          <ul className="mt-1 rounded-lg bg-warning-soft px-3 py-2 print:p-0">
            {reading.missing.map(({ title, labels }) => (
              <li key={title}>{`${title}: ${labels.join(", ")}`}</li>
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

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
    <section className={`mt-3 break-inside-avoid ${paperOnly ? "print-only" : ""}`}>
      <h3 className="border-line border-b font-semibold text-lg">{title}</h3>
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
  const headings = [code, referral, minutes].filter((heading) => heading !== null);
  return (
    <Block title={SERVICES_TITLE}>
      {lines.length > 0 && (
        <table className="my-1 w-full text-left">
          <thead>
            <tr>
              {headings.map((heading) => (
                <th
                  key={heading}
                  scope="col"
                  className={`last:text-right sm:whitespace-nowrap sm:first:w-1/2 ${heading === referral ? NOT_ON_PHONES : ""}`}
                >
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groupsOf(lines, LINES_AT_ONCE).map((group, turn) => (
              <InTurn key={group[0]?.key} turn={turn}>
                {group.map((line) => (
                  <ServiceRows key={line.key} line={line} changes={placed.lines.get(line.key)} />
                ))}
              </InTurn>
            ))}
          </tbody>
          <tfoot>
            <tr className="border-line border-t">
              <td colSpan={3} className="text-right font-semibold">
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

const NOT_ON_PHONES = "max-sm:hidden print:table-cell";

function ServiceRows({ line, changes }: { line: ServiceLine; changes: readonly string[] | undefined }) {
  const { code, name, referrals, minutes, details } = line;
  const hasDetails = details.some(({ parts, unticked }) => parts.length + unticked.length > 0);
  return (
    <>
      <tr className="border-line border-t align-top">
        <td className="pr-3 wrap-anywhere">
          {name && name !== code ? (
            <>
              <span className="text-muted">{code}</span> <span>{name}</span>
            </>
          ) : (
            code
          )}
          {/* On a phone, the column would leave no space for the other text. */}
          {referrals && <span className="block sm:hidden print:hidden">{`Referral: ${referrals}`}</span>}
          <Marks texts={changes} />
        </td>
        {showsReferrals() && <td className={`pr-3 wrap-anywhere ${NOT_ON_PHONES}`}>{referrals}</td>}
        <td className="text-right">{minutes}</td>
      </tr>
      {hasDetails && (
        <tr>
          <td colSpan={3} className="pb-1 pl-4">
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
        <div key={`${legend} ${rows[0]?.path}`} className="my-1">
          {legend && <p className="mt-2 font-semibold">{legend}</p>}
          <Rows rows={rows} placed={placed} phone={phone} />
        </div>
      ))}
      {unticked.length > 0 && <p className="print-only my-1">{`No: ${unticked.join(", ")}`}</p>}
    </>
  );
}

const LONG_TEXT = 60;

/** The lines of services, and the fields, that the server renders at once. Each may have a text of 10,000 characters. */
const [LINES_AT_ONCE, ROWS_AT_ONCE] = [50, 40];

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

/** One grid for the whole view: two pairs on a line if there is space, a long text on its own lines. */
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
  return (
    <dl className="grid gap-x-6 sm:grid-cols-2 print:grid-cols-2">
      {groupsOf(rows, ROWS_AT_ONCE).map((group, turn) => (
        <InTurn key={group[0]?.path} turn={turn}>
          {group.map(({ path, label, text, isPhone }) => (
            <div
              key={path}
              className={`grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)] print:grid-cols-[10rem_1fr] ${text.length > LONG_TEXT ? "sm:col-span-2 print:col-span-2" : ""}`}
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
  );
}
