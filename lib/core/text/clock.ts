/** Null on the server, whose own clock and time zone are the organization's. */
let clock: { aheadMs: number; wall: Intl.DateTimeFormat | null } | null = null;

/**
 * Tells a browser the organization's time zone and the server's time (milliseconds), whose own clock and time zone may
 * differ. Ignored on the server.
 */
export function setClock(timeZone: string, serverNow: number): void {
  if (typeof window === "undefined") return;
  clock = { aheadMs: serverNow - Date.now(), wall: wallOf(timeZone) };
}

/** Returns a formatter for that time zone, or null if this browser does not know it. */
function wallOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return null;
  }
}

/** Returns the server's time in milliseconds. */
export const now = (): number => Date.now() + (clock?.aheadMs ?? 0);

/** Returns a Date whose UTC parts are what clocks of the organization showed at that moment. */
export function wallTime(moment: Date): Date {
  if (Number.isNaN(moment.getTime())) return moment;
  if (!clock?.wall) return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  const parts = new Map(clock.wall.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return new Date(
    Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")),
  );
}
