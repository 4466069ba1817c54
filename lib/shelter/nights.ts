// Counts the nights of one stay, for the server and the browser; nights-by-stay.ts counts those of all stays in reports.
// Days are `YYYY-MM-DD`, and the night of a day is the one that begins on it.

type Dates = { enteredOn: string; leftOn: string | null };
type People = { adults: number; childrenThirteenToSeventeen: number; childrenUnderThirteen: number };
/** The first and last day, both inclusive. */
type Period = { from: string; to: string };

const DAY_MS = 86_400_000;
const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/** Returns the number of people of a stay: the client and those who came along. */
export const peopleOf = ({ adults, childrenThirteenToSeventeen, childrenUnderThirteen }: People): number =>
  1 + adults + childrenThirteenToSeventeen + childrenUnderThirteen;

/** Returns the nights from the first day to the last, or to today if the stay is open. */
export const nightsSoFar = ({ enteredOn, leftOn }: Dates, today: string): number =>
  Math.max(0, dayNumber(leftOn ?? today) - dayNumber(enteredOn));

/**
 * Returns the nights of one stay in a period. An open stay counts through the period's last day, and one that ends on the
 * day it began is one night.
 */
export function nightsIn({ enteredOn, leftOn }: Dates, { from, to }: Period): number {
  const entered = dayNumber(enteredOn);
  const end = dayNumber(to);
  const lastNight = leftOn === null ? end : Math.max(entered, dayNumber(leftOn) - 1);
  return Math.max(0, Math.min(lastNight, end) - Math.max(entered, dayNumber(from)) + 1);
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

/** True if no night of a stay can be changed: it ended on or before `through`, the last closed day. */
export const isClosedStay = (through: string | null, leftOn: string | null): boolean =>
  through !== null && leftOn !== null && leftOn <= through;

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
