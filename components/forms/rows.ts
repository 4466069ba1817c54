import {
  codeIdAt,
  type FormValues,
  isMagisterialMode,
  type Minutes,
  offeredKey,
  type Row,
  type RowValues,
  type Rules,
  storedKey,
  storedRows,
  withStored,
} from "@/components/forms/values";
import type { Form } from "@/lib/forms/api-schema";
import { services } from "@/lib/forms/sections/services";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import type { FormTypeFlags } from "@/lib/lookups/types";

// Decides which rows the services table has, and which are sent, printed or left out.

/** Returns the minutes as a number; null if blank or unreadable. */
export const readable = (minutes: Minutes | undefined): number | null =>
  typeof minutes === "number" ? minutes : null;

/** True if minutes were entered, even unreadable ones, because the schema must see and refuse them. */
export const hasMinutes = (row: RowValues | undefined): boolean => Boolean(row?.minutes);

/**
 * Returns the rows of the services table: the form's own, then the other offered codes. Codes of `recent` (ids, newest
 * first) come before the rest, which is sorted by code.
 */
export function tableRows(
  form: Form | null,
  offered: readonly ServiceCode[],
  recent: readonly number[] = [],
): Row[] {
  const stored = storedRows(form);
  const offeredIds = new Set(offered.map(({ id }) => id));
  const storedIds = new Set(stored.map(({ serviceCode }) => serviceCode.id));
  const turn = new Map(recent.map((id, index) => [id, index]));
  const listed = stored.map((row) => ({
    key: storedKey(row),
    code: services.withKeptDetails(row.serviceCode, row),
    offered: offeredIds.has(row.serviceCode.id),
  }));
  const others = offered
    .filter(({ id }) => !storedIds.has(id))
    .map((code) => ({ key: offeredKey(code.id), code, offered: true }));
  const byCode = (a: Row, b: Row) => a.code.code.localeCompare(b.code.code);
  const turnOf = ({ code }: Row) => turn.get(code.id) ?? recent.length;
  return [...listed.sort(byCode), ...others.sort((a, b) => turnOf(a) - turnOf(b) || byCode(a, b))];
}

/** The rows to print: those with minutes above zero. */
export const spentRows = (values: FormValues, { rows }: Rules) =>
  rows.flatMap(({ key, code }) => {
    const row = values.form.serviceEntry.rows[key];
    const minutes = readable(row?.minutes);
    return row && services.isSpent(minutes) ? [{ key, code, row, minutes }] : [];
  });

/** Values typed into rows without minutes, which are not sent. */
export const unsentRows = (values: FormValues, { rows }: Rules): object[] =>
  rows.flatMap(({ key, code }) => {
    const row = values.form.serviceEntry.rows[key];
    if (!row || hasMinutes(row)) return [];
    const blank = services.rowDefaults(code.id);
    const full = { ...withStored(blank, row), minutes: blank.minutes };
    return JSON.stringify(full) === JSON.stringify(blank) ? [] : [full];
  });

/** Minutes entered for codes that the form type does not offer, by code id. */
export const minutesLeftOut = (values: FormValues, { rows }: Rules): [serviceCodeId: number, Minutes][] => {
  const listed = new Set(rows.map(({ key }) => key));
  return Object.entries(values.form.serviceEntry.rows).flatMap(([key, row]): [number, Minutes][] =>
    hasMinutes(row) && !listed.has(key) ? [[codeIdAt(key, row), row.minutes ?? null]] : [],
  );
};

/** The rows to send, with their keys in the same order. */
export function sentRows(
  values: FormValues,
  type: FormTypeFlags,
  { rows, codes }: Rules,
): [key: string, row: object][] {
  const magisterialMode = isMagisterialMode(type, values.form.intakeForm.legalAdvocacyEntry);
  return rows.flatMap(({ key, code }): [string, object][] => {
    const row = values.form.serviceEntry.rows[key];
    if (!row || !hasMinutes(row)) return [];
    const full = withStored(services.rowDefaults(code.id), row);
    const magisterial = magisterialMode && (codes.get(code.id)?.canBeMagistrate ?? false);
    const hotel = services.showsHotelShelter(code) ? full.hotelShelterEntry : null;
    const video = services.showsVideoconferencing(code, readable(row.minutes))
      ? full.videoconferencingEntry
      : null;
    return [[key, { ...full, magisterial, hotelShelterEntry: hotel, videoconferencingEntry: video }]];
  });
}
