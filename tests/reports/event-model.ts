import type { Asked, Event, Item, Kind, Period, Tally } from "./event-worlds";

// The lines of events and outcome surveys counted from the items of a world in memory, without any code of the reports. It
// follows docs/reference/reports.md word by word.

/** Returns a day as a text that sorts like days: of `T-60`, a larger number of days is earlier. */
const place = (day: string) => (day.startsWith("T-") ? String(2000 - Number(day.slice(2))) : day);
const within = (day: string, { from, to }: Period) => place(from) <= place(day) && place(day) <= place(to);

export type Counted = {
  fvpsa: Record<string, number>;
  pccd: Record<string, number>;
  /** The names of the records behind each line with records, sorted. */
  behind: Record<string, string[]>;
  openSeries: string[];
};

/** Returns the numbers at a period of a world, from the items before it. */
export function countAt(items: readonly Item[], period: Period): Counted {
  const events = new Map<string, Event>();
  const tallies = new Map<string, Tally>();
  for (const item of items) {
    if ("event" in item) events.set(item.event, item);
    else if ("tally" in item) tallies.set(item.tally, item);
    else if ("change" in item) {
      const event = events.get(item.change);
      const tally = tallies.get(item.change);
      if (event) events.set(item.change, { ...event, ...item.to });
      if (tally) tallies.set(item.change, { ...tally, ...item.to });
    } else if ("remove" in item) {
      events.delete(item.remove);
      tallies.delete(item.remove);
    }
  }
  const counted: Counted = { fvpsa: {}, pccd: {}, behind: {}, openSeries: [] };
  if (period.formType) return counted;
  const add = (report: "fvpsa" | "pccd", line: string, name: string, number: number) => {
    if (number === 0) return;
    counted[report][line] = (counted[report][line] ?? 0) + number;
    counted.behind[line] = [...(counted.behind[line] ?? []), name].sort();
  };
  for (const event of events.values()) {
    const { event: name, audience, attended, materials = 0, explains = false, by = "owner" } = event;
    const staff = event.staff ?? [by];
    if (!within(event.on, period) || (period.by && !staff.includes(period.by))) continue;
    const people = event.series === undefined ? attended : (event.seriesPeople ?? 0);
    const [presentations, persons] = {
      general: ["education_presentations", "education_people"],
      youth: ["education_youth_presentations", "education_youth_people"],
      professionals: ["education_trainings", "education_professionals"],
    }[audience] as [string, string];
    add("fvpsa", presentations, name, 1);
    add("fvpsa", persons, name, people);
    add("fvpsa", "education_materials", name, materials);
    if (explains) {
      add("pccd", "presentations", name, 1);
      add("pccd", "presentations_people", name, people);
    }
    const series = [...events.values()].filter((other) => other.series === event.series);
    const latest =
      series
        .map(({ on }) => place(on))
        .sort()
        .at(-1) ?? "";
    const isOver = !/^\d/.test(latest) || latest <= place("T-60");
    if (event.series && isOver && series.every(({ seriesPeople }) => seriesPeople === undefined))
      counted.openSeries.push(name);
  }
  counted.openSeries.sort();
  for (const tally of tallies.values()) {
    const { tally: name, of, cards, by = "owner" } = tally;
    if (!within(tally.on, period) || (period.by && by !== period.by)) continue;
    const line = (measure: string) => `outcome_${of satisfies Kind}_${measure}`;
    add("fvpsa", line("completed"), name, cards);
    for (const measure of ["safety", "resources"] satisfies Asked[])
      add("fvpsa", line(`${measure}_yes`), name, tally[measure]?.[0] ?? 0);
  }
  return counted;
}
