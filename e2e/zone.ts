const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat("en-US", { timeZone, hour: "2-digit", hourCycle: "h23" }).format());

/**
 * The time zone of the tests' servers and browsers: New York, or late in its evening Los Angeles, where the day does not
 * end during the run. All processes of a run use the zone that the first one chose.
 */
export const ZONE =
  process.env.E2E_ZONE ?? (hourIn("America/New_York") < 22 ? "America/New_York" : "America/Los_Angeles");

process.env.E2E_ZONE = ZONE;
