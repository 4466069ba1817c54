import "server-only";
import { auditRead, rowsRecorded } from "@/lib/audit/record";
import type { NamedItem, SessionUser } from "@/lib/core/access/permissions";
import { visibleStaysWhere, withoutActor } from "@/lib/core/access/scope";
import { rows } from "@/lib/core/database/client";
import { textKey } from "@/lib/core/database/folded";
import { listRows } from "@/lib/core/database/statements";
import { notFound } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { initials, today } from "@/lib/core/text/format";
import type { BoardShelter, BoardStay, Stay } from "@/lib/shelter/api-schema";
import { isLongOpen, NAME_OF_CLIENT, notEndedOn, stayReads } from "@/lib/shelter/list";
import { nightsSoFar, peopleOf } from "@/lib/shelter/nights";

type Read = Omit<BoardShelter, "stays"> & { stays: (Stay & { name: string })[] };

const everyone = withoutActor("the number of beds taken counts everyone");

/**
 * Returns all shelters by name, each with the stays that the actor may see and that have not ended. The clients have
 * their initials instead of their names.
 */
export async function readBoard(actor: SessionUser): Promise<BoardShelter[]> {
  const shelters = await listRows<Read>(
    "shelter board",
    sql`SELECT s.id, s.name, s.kind, s.beds,
       (SELECT COALESCE(sum(1 + st.adults + st.children_thirteen_to_seventeen + st.children_under_thirteen), 0)::int
         FROM stays st WHERE st.shelter_id = s.id AND ${notEndedOn(today())} AND ${everyone}) AS "bedsTaken",
       COALESCE((SELECT json_agg(${stayReads.json(actor)}::jsonb || jsonb_build_object('name', ${NAME_OF_CLIENT}) ORDER BY st.entered_on, st.id)
         FROM stays st WHERE st.shelter_id = s.id AND ${notEndedOn(today())} AND ${visibleStaysWhere(actor)}), '[]') AS stays
     FROM shelters s ORDER BY ${textKey(sql`s.name`)}, s.id`,
  );
  const shown = shelters.flatMap(({ stays }) => stays.map(({ id }) => id));
  await auditRead(actor, { action: "listed", entity: "stay", shown });
  return shelters.map((shelter) => ({ ...shelter, stays: shelter.stays.map(onBoard) }));
}

function onBoard({ name, shelter: _, user: __, userId: ___, ...stay }: Read["stays"][number]): BoardStay {
  const nights = nightsSoFar(stay, today());
  const isLong = stay.leftOn === null && nights > env().STAY_ALERT_DAYS;
  return { ...stay, initials: initials(name), nights, people: peopleOf(stay), isLong };
}

/** An open stay that is longer than `STAY_ALERT_DAYS`. */
export type LongStay = Pick<BoardStay, "id" | "initials" | "nights"> & { shelter: string };

/** Returns the open stays that are longer than `STAY_ALERT_DAYS`, longest first, and records that they were listed. */
export async function longStays(actor: SessionUser): Promise<LongStay[]> {
  const stays = await listRows<Omit<LongStay, "initials" | "nights"> & { name: string; enteredOn: string }>(
    "long stays",
    sql`SELECT st.id, ${NAME_OF_CLIENT} AS name, st.entered_on::text AS "enteredOn",
       (SELECT s.name FROM shelters s WHERE s.id = st.shelter_id) AS shelter
     FROM stays st WHERE ${isLongOpen()} AND ${visibleStaysWhere(actor)} ORDER BY st.entered_on, st.id`,
  );
  if (stays.length > 0)
    await auditRead(actor, { action: "listed", entity: "stay", shown: stays.map(({ id }) => id) });
  return stays.map(({ id, name, enteredOn, shelter }) => ({
    id,
    shelter,
    initials: initials(name),
    nights: nightsSoFar({ enteredOn, leftOn: null }, today()),
  }));
}

/** Returns true if there is a shelter that a client can move into. */
export async function hasShelters(): Promise<boolean> {
  const [row] = await rows<{ has: boolean }>(sql`SELECT EXISTS (SELECT FROM shelters) AS has`);
  return row?.has ?? false;
}

/** Returns the name of a visible stay's client and records that it was shown. Throws 404 otherwise. */
export async function revealStay(actor: SessionUser, id: number): Promise<NamedItem> {
  const [row] = await rowsRecorded<{ id: number; client_id: number; name: string }>(
    actor,
    { action: "revealed", entity: "stay", client: "client_id" },
    sql`SELECT st.id, st.client_id, ${NAME_OF_CLIENT} AS name FROM stays st
     WHERE st.id = ${id} AND ${visibleStaysWhere(actor)}`,
  );
  if (!row) throw notFound();
  return { id: row.client_id, name: row.name };
}
