// Counts the nights of stays, for the server and the browser. Days are `YYYY-MM-DD`, and the night of a day is the one
// that begins on it.

type Dates = { enteredOn: string; leftOn: string | null };
type People = { adults: number; childrenThirteenToSeventeen: number; childrenUnderThirteen: number };
/** The first and last day, both inclusive. */
type Period = { from: string; to: string };
/** The part of a stay that the counts need. */
export type CountedStay = Dates & People & { id: number; clientId: number };

const DAY_MS = 86_400_000;
const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/** Returns the number of people of a stay: the client and those who came along. */
export const peopleOf = ({ adults, childrenThirteenToSeventeen, childrenUnderThirteen }: People): number =>
  1 + adults + childrenThirteenToSeventeen + childrenUnderThirteen;

/** Returns the nights from the first day to the last, or to today if the stay is open. */
export const nightsSoFar = ({ enteredOn, leftOn }: Dates, today: string): number =>
  Math.max(0, dayNumber(leftOn ?? today) - dayNumber(enteredOn));

/** Returns the first and last night of a stay in a period, as day numbers; first > last if there are none. */
function nightRange({ enteredOn, leftOn }: Dates, { from, to }: Period): { first: number; last: number } {
  const [entered, end] = [dayNumber(enteredOn), dayNumber(to)];
  // A stay that ends on the day it began counts as one night.
  const lastNight = leftOn === null ? end : Math.max(entered, dayNumber(leftOn) - 1);
  return { first: Math.max(entered, dayNumber(from)), last: Math.min(lastNight, end) };
}

/** Returns the nights of one stay in a period. An open stay counts through the period's last day. */
export function nightsIn(stay: Dates, period: Period): number {
  const { first, last } = nightRange(stay, period);
  return Math.max(0, last - first + 1);
}

/**
 * Returns the nights of each stay in a period, by the stay's id. Each night of a client counts once, for the stay that
 * began later: after a move, the night belongs to the later shelter.
 */
export function countNights(stays: readonly CountedStay[], period: Period): Map<number, number> {
  const latestFirst = stays.toSorted(
    (a, b) => dayNumber(b.enteredOn) - dayNumber(a.enteredOn) || b.id - a.id,
  );
  const takenByClient = new Map<number, Set<number>>();
  const nights = new Map<number, number>();
  for (const stay of latestFirst) {
    const taken = takenByClient.get(stay.clientId) ?? new Set();
    takenByClient.set(stay.clientId, taken);
    const { first, last } = nightRange(stay, period);
    const before = taken.size;
    for (let night = first; night <= last; night++) taken.add(night);
    nights.set(stay.id, taken.size - before);
  }
  return nights;
}

/** Returns people × nights of the stays in a period. */
export function countPersonNights(stays: readonly CountedStay[], period: Period): number {
  const nights = countNights(stays, period);
  return stays.reduce((sum, stay) => sum + peopleOf(stay) * (nights.get(stay.id) ?? 0), 0);
}

/** Returns the ids of the stays of one client that overlap another one. The day of a move belongs to both. */
export function overlappingIds(stays: readonly (Dates & { id: number })[]): Set<number> {
  const isDuring = (one: Dates, other: Dates) =>
    (one.leftOn === null || other.enteredOn < one.leftOn) && one.enteredOn !== one.leftOn;
  const overlap = (one: Dates, other: Dates) => isDuring(one, other) && isDuring(other, one);
  const overlapping = stays.filter((one) =>
    stays.some((other) => other.id !== one.id && overlap(one, other)),
  );
  return new Set(overlapping.map(({ id }) => id));
}

/** The part of a stay that reports count. */
type Reported = Dates & People & { shelterId: number };

/**
 * True if a change of a stay changes nights or counts on or before `through`, the last closed day. `before` is null for
 * a new stay, `after` for one to be removed.
 */
export function changesClosedDays(
  through: string | null,
  before: Reported | null,
  after: Reported | null,
): boolean {
  if (through === null) return false;
  const closedPart = (stay: Reported | null) =>
    stay &&
    stay.enteredOn <= through && [
      stay.enteredOn,
      stay.shelterId,
      stay.adults,
      stay.childrenThirteenToSeventeen,
      stay.childrenUnderThirteen,
      nightsIn(stay, { from: stay.enteredOn, to: through }),
    ];
  return JSON.stringify(closedPart(before) || null) !== JSON.stringify(closedPart(after) || null);
}
