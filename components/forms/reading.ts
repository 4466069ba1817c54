import { type FieldPath, get } from "react-hook-form";
import { BIOGRAPHICAL, DEMOGRAPHIC, RELATIONSHIP } from "@/components/clients/sections";
import { allPlaces, asksIn, placesIn } from "@/components/forms/custom";
import { factsAt, otherService, SERVICES_TITLE, showsReferrals } from "@/components/forms/fields";
import { spentRows, tableRows } from "@/components/forms/rows";
import { detailsInOrder, type ScreenSection, SECTIONS, showsDetail } from "@/components/forms/sections";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import {
  blankClient,
  blankForm,
  clientValues,
  type FormValues,
  formTypeOf,
  formValues,
  isMagisterialMode,
  listsOf,
  type Rules,
} from "@/components/forms/values";
import { type Choices, choicesOf, firstLine } from "@/components/record/choices";
import {
  type CustomPlace,
  customPlaces,
  customSections,
  type EnteredCustom,
  enteredCustom,
} from "@/components/record/custom";
import {
  type Reading,
  type ReadingRow,
  readCustom,
  readFields,
  readSection,
} from "@/components/record/reading";
import type { SectionSpec } from "@/components/record/section";
import type { ChangeSentence } from "@/lib/audit/sentences";
import type { Client } from "@/lib/clients/api-schema";
import { clientSchema } from "@/lib/clients/schema";
import { date, duration } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { services } from "@/lib/forms/sections/services";
import type { FormLists } from "@/lib/lookups/schema";

/** A titled part of a form, like a section of its screen. */
export type ReadingBlock = Omit<Reading, "missing"> & { title: string };

/** A row of the services table; `name` is the first line of the code's description. */
export type ServiceLine = {
  /** The key of the row among the values of the screen. */
  key: string;
  code: string;
  name: string;
  referrals: string;
  minutes: number | null;
  details: Reading[];
};

/** A form as it is read. */
export type FormReading = {
  blocks: ReadingBlock[];
  services: { lines: ServiceLine[]; total: number; other: ReadingRow[] } | null;
  /** The labels of fields without a value that funders ask for, by section. */
  missing: { title: string; labels: string[] }[];
};

/** The details that are in the head of the reading view. */
const IN_HEAD = new Set<FieldPath<FormValues>>(["clientId", "client.name", "form.serviceOn"]);

/** Returns a stored form as its own screen would open it; without its client if that is null. */
export function openedAs(
  form: Form,
  client: Client | null,
  allLists: FormLists,
): { values: FormValues; rules: Rules } {
  const lists = listsOf(form, allLists);
  const rows = tableRows(form, []);
  const codes = new Map(rows.map(({ code }) => [code.id, code]));
  return {
    values: {
      useExistingClient: true,
      contactId: null,
      clientId: form.clientId,
      client: client ? clientValues(client) : blankClient(),
      form: formValues(form, lists),
    },
    rules: { lists, choices: choicesOf(lists), codes, rows, saved: form },
  };
}

/** Returns what is read of a client. */
export function readClient(client: Client, choices: Choices): ReadingBlock[] {
  const places = customPlaces("client", clientSchema);
  const custom = (of: readonly CustomPlace[]) => enteredCustom(of, { client });
  const customIn = (section: string) =>
    custom(places.filter(({ facts }) => facts.custom.section === section));
  const read = (spec: SectionSpec, entry: unknown, section: string) =>
    readSection(spec, entry, choices, "", customIn(section));
  return [
    { title: "Client", ...read(RELATIONSHIP, client, "") },
    {
      title: BIOGRAPHICAL.title,
      ...read(BIOGRAPHICAL, client.clientBiographicalEntry, "clientBiographicalEntry"),
    },
    {
      title: DEMOGRAPHIC.title,
      ...read(DEMOGRAPHIC, client.clientDemographicEntry, "clientDemographicEntry"),
    },
    ...customSections(places).map((section) => ({
      title: section.title,
      ...readCustom(custom(section.places), choices),
    })),
  ];
}

/** Returns the named fields with their values. Custom fields come from `custom`. */
function enteredAt(
  names: readonly FieldPath<FormValues>[],
  values: object,
  custom: readonly EnteredCustom[],
) {
  const places = new Map<string, EnteredCustom>(custom.map((place) => [place.path, place]));
  return names.flatMap((name) => {
    const facts = factsAt(name);
    const entered = facts.custom ? places.get(name) : { path: name, facts, value: get(values, name) };
    return entered && !facts.hidden ? [entered] : [];
  });
}

/** Returns the reading of the details outside the sections. `custom` has the custom fields to include. */
function readDetails(
  values: FormValues,
  { lists, choices }: Rules,
  names: FieldPath<FormValues>[],
  custom: readonly EnteredCustom[],
): Reading {
  const type = formTypeOf(values.form.formTypeId, lists);
  // A canine that was not chosen is None.
  const noCanine = values.form.canineId === blankForm(lists).canineId;
  const entered = names.filter(
    (name) => !IN_HEAD.has(name) && showsDetail(name, type) && !(name === "form.canineId" && noCanine),
  );
  const { rows, ...others } = readFields(enteredAt(entered, values, custom), choices);
  return { parts: rows.length > 0 ? [{ rows }] : [], ...others };
}

/**
 * Returns what is read of a form: the entered values of its details, of the sections of its type, and the services with
 * minutes. If `withClient` is false, without the client's parts.
 */
export function readForm(values: FormValues, rules: Rules, withClient = true): FormReading {
  const { lists, choices } = rules;
  const type = formTypeOf(values.form.formTypeId, lists);
  const isPart = (name: string) => withClient || !name.startsWith("client.");
  const blank = { client: blankClient(), form: blankForm(lists) };
  const { serviceStatus } = values.form;
  const custom = (places: readonly CustomPlace[], all: object) =>
    enteredCustom(
      places.filter(({ name }) => isPart(name)),
      all,
      asksIn(type, serviceStatus),
    );
  const details = readDetails(values, rules, detailsInOrder().filter(isPart), custom(placesIn(""), values));
  const sections = SECTIONS.flatMap(({ title, spec, shows, paths: [path = ""] }) => {
    if (!spec || !isPart(path) || !shows(type, serviceStatus)) return [];
    const places = placesIn(path);
    const readOf = (all: object) => readSection(spec, get(all, path), choices, path, custom(places, all));
    const read = readOf(values);
    // A section without required fields may show only defaults, so it is left out.
    const asks = spec.groups.some(({ fields }) => fields.some(({ facts }) => facts.required));
    const isEmpty = !asks && JSON.stringify(read) === JSON.stringify(readOf(blank));
    return [{ title, missing: read.missing, ...(isEmpty ? { parts: [], unticked: [] } : read) }];
  });
  const added = customSections(allPlaces())
    .map(({ title, places }) => ({ title, ...readCustom(custom(places, values), choices) }))
    .filter(({ parts }) => parts.length > 0);
  const spent = services.shows(type) ? readServices(values, rules) : null;
  const noTime = spent !== null && spent.lines.length === 0 && spent.other.length === 0;
  return {
    blocks: [
      { title: "Form Details", parts: details.parts, unticked: details.unticked },
      ...[...sections, ...added].map(({ title, parts, unticked }) => ({ title, parts, unticked })),
    ].filter(({ parts, unticked }) => parts.length + unticked.length > 0),
    services: noTime ? null : spent,
    missing: [
      { title: "Form Details", labels: details.missing },
      ...sections.map(({ title, missing }) => ({ title, labels: missing })),
      { title: SERVICES_TITLE, labels: noTime ? ["Minutes"] : [] },
    ].filter(({ labels }) => labels.length > 0),
  };
}

/**
 * Returns the number of fields without a value that funders ask for; 0 before a form type is chosen. If `withClient` is
 * false, without the client's.
 */
export const countMissing = (values: FormValues, rules: Rules, withClient = true): number =>
  values.form.formTypeId === null ? 0 : missingIn(readForm(values, rules, withClient));

/** Returns the number of fields without a value that funders ask for. */
export const missingIn = ({ missing }: FormReading): number =>
  missing.reduce((sum, { labels }) => sum + labels.length, 0);

/** Returns what was entered in a section of the screen, in one line, without untouched defaults; "" if nothing was. */
export function sectionLine(
  { id, spec, custom = [], paths: [path] }: ScreenSection,
  values: FormValues,
  rules: Rules,
): string {
  const words = ({ label, text }: ReadingRow) => (text === "Yes" ? label : `${label}: ${text}`);
  if (id === "services") {
    const { lines, other } = readServices(values, rules);
    const spent = lines.map(({ code, minutes }) => `${code}: ${duration(minutes ?? 0)}`);
    return [...spent, ...other.map(words)].join(", ");
  }
  const wordsIn = (all: Pick<FormValues, "client" | "form">) => {
    const entered = enteredCustom(custom, all);
    const read = spec
      ? readSection(spec, get(all, path), rules.choices, "", entered)
      : readCustom(entered, rules.choices);
    return read.parts.flatMap(({ rows }) => rows.map(words));
  };
  if (id === "details") {
    const { parts } = readDetails(values, rules, detailsInOrder(), enteredCustom(custom, values));
    return parts.flatMap(({ rows }) => rows.map(words)).join(", ");
  }
  const defaults = wordsIn({ client: blankClient(), form: blankForm(rules.lists) });
  return wordsIn(values)
    .filter((text) => !defaults.includes(text))
    .join(", ");
}

function readServices(values: FormValues, rules: Rules): NonNullable<FormReading["services"]> {
  const { choices, codes, lists } = rules;
  const spent = spentRows(values, rules);
  const mode = isMagisterialMode(
    formTypeOf(values.form.formTypeId, lists),
    values.form.intakeForm.legalAdvocacyEntry,
  );
  const counted = spent.map(({ code, minutes }) => ({ minutes, serviceCodeId: code.id }));
  return {
    lines: spent.map(({ key, code, row, minutes }) => ({
      key,
      code: code.code,
      name: firstLine(code.description),
      referrals: code.hasReferral && showsReferrals() ? String(row.referrals ?? "") : "",
      minutes,
      details: [
        ...(services.showsHotelShelter(code)
          ? [readSection(HOTEL_SHELTER, row.hotelShelterEntry, choices)]
          : []),
        ...(services.showsVideoconferencing(code, minutes)
          ? [readSection(VIDEOCONFERENCING, row.videoconferencingEntry, choices)]
          : []),
      ],
    })),
    total: services.totalMinutes(counted, codes, mode),
    other: readFields(
      enteredAt(otherService(), values, enteredCustom(placesIn("form.serviceEntry"), values)),
      choices,
    ).rows,
  };
}

/** The changes since the last check, by where they are read. */
export type PlacedChanges = {
  /** By the path of a row that is shown. */
  rows: ReadonlyMap<string, readonly string[]>;
  /** By the key of a line of the services table. */
  lines: ReadonlyMap<string, readonly string[]>;
  /** Changes of what is no longer shown. */
  others: readonly ChangeSentence[];
};

/** The path of a field in a row of the services table; the number is the row's place in the stored form. */
const ROW_FIELD = /^form\.serviceEntry\.serviceProvidedEntries\.(\d+)\./;

/**
 * Returns each change where it is read: a change of a service in the line of its own row, which `rowKeys` names for each
 * row of the stored form in order. Changes without such a place are in `others`.
 */
export function placeChanges(
  reading: FormReading,
  changes: readonly ChangeSentence[],
  rowKeys: readonly string[],
): PlacedChanges {
  const shown = [
    ...reading.blocks.flatMap(({ parts }) => parts.flatMap(({ rows }) => rows)),
    ...(reading.services?.other ?? []),
  ];
  const labels = new Map(shown.map(({ path, label }) => [path, label]));
  const lineKeys = new Set(reading.services?.lines.map(({ key }) => key));
  const rows = new Map<string, string[]>();
  const lines = new Map<string, string[]>();
  const others: ChangeSentence[] = [];
  const add = (to: Map<string, string[]>, key: string, text: string) => {
    const texts = to.get(key);
    if (texts) texts.push(text);
    else to.set(key, [text]);
  };
  for (const change of changes) {
    const label = labels.get(change.field);
    const [, place] = ROW_FIELD.exec(change.field) ?? [];
    // The place of a removed row is its former one, where another row may be now.
    const key = place && !change.isRemoved ? rowKeys[Number(place)] : undefined;
    if (key !== undefined && lineKeys.has(key)) add(lines, key, change.text);
    else if (label === undefined) others.push(change);
    else add(rows, change.field, change.text.replace(`${label}: `, ""));
  }
  return { rows, lines, others };
}

/** Returns the stored form's review state in words, with reviewer and date. */
export function reconciledWords(saved: Form | null): string {
  if (!saved) return "Not saved yet";
  if (!saved.reconciled) return "Unreconciled";
  const { reconciledBy: by, reconciledAt: at } = saved;
  return ["Reconciled", at && `on ${date(at)}`, by && `by ${by.firstName} ${by.lastName}`]
    .filter(Boolean)
    .join(" ");
}
