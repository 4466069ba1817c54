import "server-only";
import type { Contact } from "@/lib/contacts/record";
import type { NamedItem, SessionUser } from "@/lib/core/access/permissions";
import {
  countedClientsWhere,
  type Hiding,
  openFormsWhere,
  visibleContactsWhere,
  visibleRecordsWhere,
  visibleStaysWhere,
} from "@/lib/core/access/scope";
import { listRows } from "@/lib/core/database/statements";
import { constant, type Sql, sql } from "@/lib/core/sql";
import { type Event, events } from "@/lib/events/record";
import { type OutcomeSurvey, outcomeSurveys } from "@/lib/outcomes/record";
import { countingShelters } from "@/lib/reports/block-parts";
import type { ReportKey } from "@/lib/reports/definitions";
import type { GapSections } from "@/lib/reports/gap-places";
import type { Period } from "@/lib/reports/periods";
import type { Behind } from "@/lib/reports/schema";
import { nightsByStay } from "@/lib/shelter/nights-by-stay";

/** The part of a list that is on a page. */
export type Part = { offset: number; limit: number };

/** A client in the list behind a number, with the client's forms and stays that count there. */
export type RecordRow = {
  id: number;
  name: string;
  /** True if the client was purged, so that only data for report counts is left. */
  purged: boolean;
  forms: {
    id: number;
    serviceOn: string;
    serviceStatus: string;
    formType: string;
    has: GapSections;
    advocate: string;
  }[];
  stays: { id: number; enteredOn: string; leftOn: string | null; shelter: string; advocate: string }[];
};

const HAS_JSON = sql`json_build_object('clientBiographicalEntry', t.client_biographical_entry,
  'clientDemographicalEntry', t.client_demographical_entry, 'survivorEntry', t.survivor_entry, 'serviceEntry', t.service_entry)`;

/**
 * Returns a part of a list's clients by name, with their forms and stays in it. The caller has already recorded the view.
 */
export async function readRecords(
  actor: SessionUser,
  { clients, forms, stays = [] }: Pick<Behind, "clients" | "forms" | "stays">,
  { offset, limit }: Part,
): Promise<RecordRow[]> {
  return listRows<RecordRow>(
    "report records",
    sql`SELECT c.id, c.name, c.purged, coalesce((
        SELECT json_agg(json_build_object('id', f.id, 'serviceOn', f.service_on, 'serviceStatus', f.service_status,
          'formType', t.name, 'has', ${HAS_JSON}, 'advocate', u.first_name || ' ' || u.last_name) ORDER BY f.service_on, f.id)
        FROM forms f JOIN form_types t ON t.id = f.form_type_id JOIN users u ON u.id = f.user_id
        WHERE f.client_id = c.id AND f.id = ANY(${forms}::int[]) AND ${openFormsWhere(actor)}), '[]') AS forms, coalesce((
        SELECT json_agg(json_build_object('id', st.id, 'enteredOn', st.entered_on, 'leftOn', st.left_on, 'shelter', s.name,
          'advocate', u.first_name || ' ' || u.last_name) ORDER BY st.entered_on, st.id)
        FROM stays st JOIN shelters s ON s.id = st.shelter_id JOIN users u ON u.id = st.user_id
        WHERE st.client_id = c.id AND st.id = ANY(${stays}::int[]) AND ${visibleStaysWhere(actor)}), '[]') AS stays
     FROM clients c WHERE c.id = ANY(${clients}::int[]) AND ${countedClientsWhere(actor)}
     ORDER BY c.name_folded, c.id LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** A stay in the list behind a number, without the client's name, and its nights in the period. */
export type StayRow = RecordRow["stays"][number] & { people: number; nights: number };

/** The stored mappings of the report that counts nights, as a table like `mapping`. */
const STORED_MAPPINGS = sql`(SELECT kind, source, line, valid_from AS "validFrom", coalesce(valid_through, 'infinity') AS "validThrough"
  FROM report_mappings WHERE report = ${constant("fvpsa" satisfies ReportKey)}) AS stored`;

/** SELECT of `stay_id` and `nights`: the nights of stays that count in the period. */
export const countedNights = (reader: Hiding, { from, to }: Period): Sql =>
  nightsByStay(reader, { from: sql`${from}::date`, to: sql`${to}::date` }, countingShelters(STORED_MAPPINGS));

/** Returns a part of a list's stays by day. The caller has already recorded the view. */
export async function readStayRecords(
  actor: SessionUser,
  stays: readonly number[],
  period: Period,
  { offset, limit }: Part,
): Promise<StayRow[]> {
  return listRows<StayRow>(
    "report stays",
    sql`SELECT st.id, st.entered_on::text AS "enteredOn", st.left_on::text AS "leftOn", s.name AS shelter,
       1 + st.adults + st.children_thirteen_to_seventeen + st.children_under_thirteen AS people,
       coalesce(counted.nights, 0) AS nights, u.first_name || ' ' || u.last_name AS advocate
     FROM stays st JOIN shelters s ON s.id = st.shelter_id JOIN users u ON u.id = st.user_id
       LEFT JOIN (${countedNights(actor, period)}) AS counted ON counted.stay_id = st.id
     WHERE st.id = ANY(${stays}::int[]) AND ${visibleStaysWhere(actor)}
     ORDER BY st.entered_on, st.id LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** A contact in the list behind a number. */
export type ContactRow = Pick<Contact, "id" | "contactedOn" | "number" | "minutes"> & {
  kind: string;
  advocate: string;
};

/** Returns a part of a list's contacts by day. The caller has already recorded the view. */
export async function readContactRecords(
  actor: SessionUser,
  contacts: readonly number[],
  { offset, limit }: Part,
): Promise<ContactRow[]> {
  return listRows<ContactRow>(
    "report contacts",
    sql`SELECT ct.id, ct.contacted_on::text AS "contactedOn", ct.number, ct.minutes, k.name AS kind,
       u.first_name || ' ' || u.last_name AS advocate
     FROM contacts ct JOIN contact_kinds k ON k.id = ct.contact_kind_id JOIN users u ON u.id = ct.user_id
     WHERE ct.id = ANY(${contacts}::int[]) AND ${visibleContactsWhere(actor)}
     ORDER BY ct.contacted_on, ct.id LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** An event in the list behind a number, with its people, and the people of its series if it has their number. */
export type EventRow = Pick<Event, "id" | "heldOn" | "title" | "attended" | "seriesPeople"> & {
  kind: string;
};

/** Returns a part of a list's events by day. The caller has already recorded the view. */
export async function readEventRecords(
  actor: SessionUser,
  ids: readonly number[],
  { offset, limit }: Part,
): Promise<EventRow[]> {
  return listRows<EventRow>(
    "report events",
    sql`SELECT r.id, r.held_on::text AS "heldOn", r.title, r.attended, r.series_people AS "seriesPeople", k.name AS kind
     FROM events r JOIN event_kinds k ON k.id = r.event_kind_id
     WHERE r.id = ANY(${ids}::int[]) AND ${visibleRecordsWhere(actor, events)}
     ORDER BY r.held_on, r.id LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** An outcome survey in the list behind a number. */
export type SurveyRow = Pick<OutcomeSurvey, "id" | "countedOn" | "serviceKind" | "completed"> & {
  advocate: string;
};

/** Returns a part of a list's outcome surveys by day. The caller has already recorded the view. */
export async function readSurveyRecords(
  actor: SessionUser,
  ids: readonly number[],
  { offset, limit }: Part,
): Promise<SurveyRow[]> {
  return listRows<SurveyRow>(
    "report surveys",
    sql`SELECT r.id, r.counted_on::text AS "countedOn", r.service_kind AS "serviceKind", r.completed,
       u.first_name || ' ' || u.last_name AS advocate
     FROM outcome_surveys r JOIN users u ON u.id = r.user_id
     WHERE r.id = ANY(${ids}::int[]) AND ${visibleRecordsWhere(actor, outcomeSurveys)}
     ORDER BY r.counted_on, r.id LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** Returns the form type that adds only a survivor section; null if there is none. */
export async function survivorFormType(): Promise<NamedItem | null> {
  const [type = null] = await listRows<NamedItem>(
    "survivor form type",
    sql`SELECT id, name FROM form_types WHERE survivor_entry ORDER BY service_entry, sort_order, id LIMIT 1`,
  );
  return type;
}
