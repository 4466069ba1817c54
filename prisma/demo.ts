import { db, LONG_TIMEOUTS } from "@/lib/core/database/client";
import { today, utcDay } from "@/lib/core/text/format";
import { quarterOf } from "@/lib/reports/periods";
import type { FormTypeName } from "@/prisma/seed-data";
import { addForm } from "./demo-forms";
import { addGroup } from "./demo-groups";
import { type Random, random } from "./demo-random";
import { addRecords } from "./demo-records";
import { insertRows, type Lists, newRows, type Rows, readLists } from "./demo-rows";
import { addStays } from "./demo-stays";

const CLIENTS = 40;
const DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * The three forms of a client. Each form type appears three times in the five rows, so all are equally frequent.
 */
const JOURNEYS: readonly FormTypeName[][] = [
  ["Phone", "On-Call Advocacy", "Legal Advocacy"],
  ["On-Call Advocacy", "Survivor", "Service"],
  ["Phone", "Legal Advocacy", "Service"],
  ["Phone", "Survivor", "Service"],
  ["On-Call Advocacy", "Survivor", "Legal Advocacy"],
];

const FIRST_NAMES = (
  "Amara Bao Carmen Dmitri Eun-ji Fatima Grace Hiroko Imani Jamal Keisha Leilani Mateo Nadia Oluchi Priya Quinn " +
  "Rosa Soraya Tomasz Uma Valentina Wanjiru Ximena Yusuf Zofia Aiyana Bronwyn Chidi Deepika Esperanza Farid " +
  "Giulia Hana Ingrid Josefina Kofi Lucía Mei Noor"
).split(" ");
const LAST_NAMES = (
  "Moonwhistle Papercastle Thimblewood Inkfeather Lanternby Cloudberry Teaspoonley Quillfeather Puddlesworth " +
  "Marblestone Kitewell Gingerbread Starbutton Mapletree-Sample Windowsill"
).split(" ");
const CITIES = ["Samplesburg", "Exampleton", "Fictionville", "Mockingham"] as const;

type Owner = { id: number };

/**
 * Adds 40 invented clients, 120 forms of the last six months, a few stays in shelter, a group with two sessions and their
 * forms, and records without a client, owned by the existing accounts. Does nothing if a client was ever created, so that
 * deleted demo data does not come back at the next start. Processes that start together take turns (lib/ops/prepare.ts).
 */
export async function seedDemo(): Promise<void> {
  await db().$transaction(async (tx) => {
    const [sequence] = await tx.$queryRaw<{ is_called: boolean }[]>`SELECT is_called FROM clients_id_seq`;
    const [user, ...others] = await tx.user.findMany({ orderBy: { id: "asc" }, select: { id: true } });
    if (sequence?.is_called || !user) return;
    const now = new Date(`${today()}T00:00:00Z`);
    const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
    await insertRows(tx, demoRows(await readLists(tx), [user, ...others], daysAgo));
    await addStays(tx, user.id, daysAgo);
    await addGroup(tx, [user, ...others], daysAgo);
    await addRecords(tx, [user, ...others], { random: random(2027), dayBefore: daysAgo });
    // As if the accounts had been here when the records begin.
    await tx.reportSetting.updateMany({ data: { dueFrom: new Date(quarterOf(utcDay(daysAgo(DAYS))).from) } });
  }, LONG_TIMEOUTS);
}

/** Chooses the ids itself (the entries of a form have the form's id), so that each table needs one insert. */
function demoRows(lists: Lists, users: readonly [Owner, ...Owner[]], daysAgo: (days: number) => Date): Rows {
  const rows = newRows();
  const r = random(2026);

  const starts = Array.from({ length: CLIENTS }, () => r.int(2, DAYS)).sort((a, b) => b - a);
  const visits = starts.flatMap((start, index) => {
    const clientId = index + 1;
    const userId = r.pick(users).id;
    addClient(rows, lists, r, { id: clientId, userId, createdOn: daysAgo(start) });
    const later = [r.int(0, start), r.int(0, start)].sort((a, b) => b - a);
    const journey = JOURNEYS[index % JOURNEYS.length] ?? [];
    return [start, ...later].map((days, step) => ({ clientId, userId, days, type: journey[step] }));
  });

  visits.sort((a, b) => b.days - a.days);
  visits.forEach(({ clientId, userId, days, type }, index) => {
    const formType = lists.formTypes.find(({ name }) => name === type);
    if (!formType) return;
    const reconciled = r.chance(index < visits.length / 2 ? 0.85 : 0.15);
    addForm(rows, lists, r, formType, {
      id: index + 1,
      clientId,
      userId,
      serviceOn: daysAgo(days),
      reconciled,
    });
  });
  return rows;
}

function addClient(
  rows: Rows,
  lists: Lists,
  r: Random,
  own: { id: number; userId: number; createdOn: Date },
) {
  const { id } = own;
  const firstName = FIRST_NAMES[(id - 1) % FIRST_NAMES.length];
  const lastName = LAST_NAMES[(id * 7) % LAST_NAMES.length];
  const significantOther = r.chance(0.15);
  rows.clients.push({
    ...own,
    name: `${firstName} ${lastName}`,
    significantOther,
    relationshipToSurvivor: significantOther ? r.pick(["Mother", "Brother", "Adult daughter", "Friend"]) : "",
    verbalConfirmation: r.chance(0.9),
  });

  const age = r.int(18, 74);
  const dateOfBirth = new Date(own.createdOn.getTime() - r.int(0, 360) * DAY_MS);
  dateOfBirth.setUTCFullYear(dateOfBirth.getUTCFullYear() - age);
  const ageBracketId = lists.ageBrackets.findLast(({ rangeStart }) => rangeStart <= age)?.id;
  const reachable = r.chance(0.85);
  rows.biographical.push({
    clientId: id,
    ageBracketId,
    fictitiousName: r.chance(0.1),
    address: `${r.int(1, 999)} Example Street`,
    address2: r.chance(0.3) ? `Apartment ${r.int(1, 20)}` : "",
    city: r.pick(CITIES),
    state: "PA",
    postalCode: "00000",
    phoneNumber: reachable ? `(412) 555-01${String(id).padStart(2, "0")}` : "",
    safeToCall: reachable && r.chance(0.7),
    dateOfBirth,
  });

  const ethnicity = r.pick(lists.ethnicities);
  const disability = r.chance(0.3);
  const disabilityPhysical = disability && r.chance(0.5);
  rows.demographic.push({
    clientId: id,
    ageBracketId,
    ethnicityId: ethnicity?.id,
    ethnicityOther: ethnicity?.name === "Other" ? "Prefers to describe in person" : "",
    gender: r.pick(["Female", "Female", "Female", "Female", "Male", "Transgender", "Other", "Unknown"]),
    lgbt: r.chance(0.15),
    elderly: age >= 60,
    remoteArea: r.chance(0.2),
    limitedEnglish: r.chance(0.15),
    immigrant: r.chance(0.15),
    homeless: r.chance(0.2),
    military: r.chance(0.08),
    disability,
    disabilityPhysical,
    disabilityCognitive: disability && r.chance(0.25),
    disabilityMental: disability && (!disabilityPhysical || r.chance(0.3)),
    disabilityDeaf: disabilityPhysical && r.chance(0.2),
  });
}
