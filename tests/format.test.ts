import { afterEach, describe, expect, test, vi } from "vitest";
import { greaterThanZero, isGreaterThanZero, isPresent, presence } from "@/lib/core/fields/presence";
import { now, setClock } from "@/lib/core/text/clock";
import {
  addDays,
  ago,
  capitalize,
  currency,
  date,
  daysAgo,
  duration,
  integerPercent,
  lowercase,
  masks,
  minutes,
  parseDate,
  parseMinutes,
  parseNumber,
  percent,
  shortDate,
  shortDateTime,
  shortDateTimeOfDay,
  shortDay,
  timeOfDay,
  titleize,
  today,
  yesNo,
} from "@/lib/core/text/format";

const nothing = [null, undefined, "", "no such thing"] as const;

describe("formats", () => {
  test.each([
    ["2026-11-22T12:00:00Z", "just now"],
    ["2026-11-22T11:59:01Z", "just now"],
    ["2026-11-22T11:40:00Z", "20 minutes ago"],
    ["2026-11-22T11:00:00Z", "1 hour ago"],
    ["2026-11-21T11:00:00Z", "yesterday"],
    ["2026-11-20T11:00:00Z", "2 days ago"],
  ])("a moment at %s is shown as %s at noon on November 22", (moment, words) =>
    expect(ago(moment, Date.parse("2026-11-22T12:00:00Z"))).toBe(words),
  );

  test.each([
    [0, ""],
    [5, "5\u00a0min"],
    [60, "1\u00a0h"],
    [170, "2\u00a0h\u00a050\u00a0min"],
    [1500, "25\u00a0h"],
  ])("a duration of %i minutes is shown as %s", (minutes, words) => expect(duration(minutes)).toBe(words));

  test.each([
    ["2026-11-20", "Nov 20"],
    ["2026-01-02", "Jan 2"],
    ["2025-12-31", "Dec 31, 2025"],
    ["", ""],
  ])("a short day of %s is shown as %s in 2026", (day, words) =>
    expect(shortDay(day, "2026-11-22")).toBe(words),
  );

  test.each([
    [-1, "today"],
    [0, "today"],
    [1, "yesterday"],
    [2, "2 days ago"],
    [13, "13 days ago"],
    [14, "2 weeks ago"],
    [20, "2 weeks ago"],
    [21, "3 weeks ago"],
    [60, "8 weeks ago"],
    [61, "2 months ago"],
    [91, "2 months ago"],
    [92, "3 months ago"],
    [730, "23 months ago"],
    [731, "2 years ago"],
    [1095, "2 years ago"],
    [1096, "3 years ago"],
    [2454, "6 years ago"],
    [36_525, "100 years ago"],
  ])("%i days before today is shown as %s", (days, words) =>
    expect(daysAgo(addDays("2026-11-22", -days), "2026-11-22")).toBe(words),
  );

  test("daysAgo uses numbers from 2 up to 13 days, 8 weeks or 23 months over four years", () => {
    const phrases = Array.from({ length: 4 * 366 }, (_, days) =>
      daysAgo(addDays("2026-11-22", -days), "2026-11-22"),
    );
    const most = new Map<string, number>();
    for (const words of phrases.slice(2)) {
      const [, number, unit] = /^(\d+) (\w+) ago$/.exec(words) ?? [];
      expect(Number(number), words).toBeGreaterThanOrEqual(2);
      most.set(unit ?? "", Math.max(most.get(unit ?? "") ?? 0, Number(number)));
    }
    expect([...most]).toEqual([
      ["days", 13],
      ["weeks", 8],
      ["months", 23],
      ["years", 4],
    ]);
  });

  test.each([
    [true, "Yes"],
    [1, "Yes"],
    [false, "No"],
    [0, "No"],
    [2, "No"],
    [null, "No"],
    [undefined, "No"],
  ])("yesNo(%j) is %s", (value, text) => expect(yesNo(value)).toBe(text));

  test.each([
    ["2026-01-02", "01/02/2026", "01/02/26", "01/02/26 12:00"],
    ["1900-12-31", "12/31/1900", "12/31/00", "12/31/00 12:00"],
    ["2026-07-04T14:05:00", "07/04/2026", "07/04/26", "07/04/26 02:05"],
    [new Date(2026, 0, 2, 9, 30), "01/02/2026", "01/02/26", "01/02/26 09:30"],
  ])("the short date, long date and time are correct for %j", (value, long, short, time) => {
    expect([date(value), shortDate(value), shortDateTime(value)]).toEqual([long, short, time]);
  });

  test.each([
    ["2026-01-02T08:10:05Z", "12:10:05 AM"],
    ["2026-01-02T17:00:00Z", "09:00:00 AM"],
    ["2026-01-02T20:10:05Z", "12:10:05 PM"],
  ])("a time of day has seconds and AM or PM (%s)", (moment, shown) => {
    expect(timeOfDay(moment)).toBe(shown);
  });

  test("a time includes AM or PM", () => {
    const times = [new Date(2026, 0, 2, 3, 10), new Date(2026, 0, 2, 15, 10)];
    expect(times.map(shortDateTimeOfDay)).toEqual(["01/02/26 03:10 AM", "01/02/26 03:10 PM"]);
  });

  test.each(nothing)("a date is empty for %j", (value) => {
    const written = [date, shortDate, shortDateTime, shortDateTimeOfDay].map((write) => write(value));
    expect(written).toEqual(["", "", "", ""]);
  });

  test.each([
    [0, "$0.00"],
    [5, "$5.00"],
    [1234.5, "$1,234.50"],
    ["1234567.895", "$1,234,567.90"],
    ["9999999999.99", "$9,999,999,999.99"],
    [-12.3, "-$12.30"],
  ])("currency(%j) is %s", (value, text) => expect(currency(value)).toBe(text));

  test.each([
    [0, "0.00%"],
    [0.1234, "12.34%"],
    [1, "100.00%"],
    [0.07, "7.00%"],
    [12.5, "1250.00%"],
    ["0.5", "50.00%"],
  ])("percent(%j) is %s", (value, text) => expect(percent(value)).toBe(text));

  test.each([
    [0, "0%"],
    [12, "12%"],
    ["7", "7%"],
    [12.6, "13%"],
  ])("integerPercent(%j) is %s", (value, text) => expect(integerPercent(value)).toBe(text));

  test.each([
    [0, "00:00"],
    [5, "00:05"],
    [60, "01:00"],
    [75, "01:15"],
    [1440, "24:00"],
    [6005, "100:05"],
    ["90", "01:30"],
    [-75, "-01:15"],
  ])("minutes(%j) is %s", (value, text) => expect(minutes(value)).toBe(text));

  test.each([...nothing, " ", Number.NaN, Number.POSITIVE_INFINITY])("a number is empty for %j", (value) => {
    expect([currency(value), percent(value), integerPercent(value), minutes(value)]).toEqual([
      "",
      "",
      "",
      "",
    ]);
  });

  test.each([
    ["age bracket", "Age bracket", "age bracket", "Age Bracket"],
    ["PFA court", "PFA court", "pfa court", "PFA Court"],
    ["service_codes", "Service_codes", "service_codes", "Service Codes"],
    ["age-brackets", "Age-brackets", "age-brackets", "Age Brackets"],
    ["secondaryVictimization", "SecondaryVictimization", "secondaryvictimization", "Secondary Victimization"],
    ["", "", "", ""],
    [null, "", "", ""],
    [undefined, "", "", ""],
  ])("capitalize, lowercase and titleize are correct for %j", (value, capital, lower, title) => {
    expect([capitalize(value), lowercase(value), titleize(value)]).toEqual([capital, lower, title]);
  });
});

describe("masks", () => {
  test.each([
    ["4125550100", "(412) 555-0100"],
    ["412.555.0100", "(412) 555-0100"],
    ["412/555-0100", "(412) 555-0100"],
    [" 412\u00a0555 0100 ", "(412) 555-0100"],
    ["(412)555-0100", "(412) 555-0100"],
    ["+1 412 555 0100", "(412) 555-0100"],
    ["(+1) 412 555 0100", "(412) 555-0100"],
    ["1-412-555-0100", "(412) 555-0100"],
    ["14125550100 x22", "(412) 555-0100 x22"],
    ["412-555-0100x1", "(412) 555-0100 x1"],
    ["412-555-0100 ext 007", "(412) 555-0100 x007"],
    ["412-555-0100 Ext. 123456", "(412) 555-0100 x123456"],
    ["412-555-0100 EXTENSION 5", "(412) 555-0100 x5"],
    ["412-555-0100 #5", "(412) 555-0100 x5"],
    ["1412555010", "(141) 255-5010"],
    ["\u202a(412) 555-0100\u202c", "(412) 555-0100"],
  ])("the phone number %j is formatted as %j", (typed, text) => {
    expect(masks.phone(typed)).toBe(text);
    expect(masks.phone(text)).toBe(text);
  });

  test.each([
    "",
    "5",
    "555-0123",
    "(412) 555-010",
    "+44 20 7946 0958",
    "44 20 7946 0958",
    "+52 55 1234 5678",
    "0014125550100",
    "+1 412 555 010",
    "412555010012",
    "412-555-0100 x",
    "412-555-0100 x1234567",
    "412-555-0100 or 412-555-0199",
    "412-555-0100 / 412-555-0199",
    "412-555-0100 (cell)",
    "412-555-0100, ext 5",
    "412–555–0100",
    "call 4125550100",
    "1-800-FLOWERS",
    " 555-0123 ",
    "412-555-0100\n",
  ])("the phone number %j stays exactly as typed", (typed) => expect(masks.phone(typed)).toBe(typed));

  test.each([
    ["ssn", "123", "123"],
    ["ssn", "1234", "123-4"],
    ["ssn", "123456789", "123-45-6789"],
    ["ssn", "123 45 6789", "123-45-6789"],
    ["ssn", "123-45-67890", "123-45-67890"],
    ["ssn", "123-45-678X", "123-45-678X"],
    ["tin", "12", "12"],
    ["tin", "123456789", "12-3456789"],
    ["tin", "12-34567890", "12-34567890"],
    ["tin", "12-345678901", "12-345678901"],
    ["tin", "EIN 12-345678", "EIN 12-345678"],
    ["date", "0", "0"],
    ["date", "01", "01"],
    ["date", "010", "01/0"],
    ["date", "01022026", "01/02/2026"],
    ["date", "01/022", "01/02/2"],
    ["date", "12/311980", "12/31/1980"],
    ["date", "1/2/2026", "01/02/2026"],
    ["date", "1-2-2026", "01/02/2026"],
    ["date", "1/", "01"],
    ["date", "2026-01-02", "01/02/2026"],
    ["date", "01/02/20267", "01/02/20267"],
    ["date", "20260105", "20260105"],
    ["date", "2026", "2026"],
    ["date", "1052026", "1052026"],
    ["date", "13/01/2026", "13/01/2026"],
    ["date", "2/29/2025", "2/29/2025"],
    ["date", "02292025", "02292025"],
    ["date", "0/5/2026", "0/5/2026"],
    ["date", "2", "2"],
    ["date", "2/", "02"],
    ["date", "04", "04"],
    ["date", "044", "044"],
    ["date", "0431", "04/31"],
    ["date", "1231199", "12/31/199"],
    ["date", "010220267", "010220267"],
    ["date", "Nov 11, 2019 8:00 AM", "Nov 11, 2019 8:00 AM"],
    ["date", "3/4/20 10:15", "3/4/20 10:15"],
    ["date", "04.03.2026", "04.03.2026"],
  ] as const)("the mask for a %s shows %j as %j", (mask, typed, text) => {
    expect(masks[mask](typed)).toBe(text);
    expect(masks[mask](text)).toBe(text);
  });
});

describe("parseDate", () => {
  test.each([
    ["01/02/2026", "2026-01-02"],
    ["1/2/2026", "2026-01-02"],
    ["1-2-2026", "2026-01-02"],
    ["01-02-2026", "2026-01-02"],
    ["1 2 2026", "2026-01-02"],
    ["1\u00a02\u00a02026", "2026-01-02"],
    ["01022026", "2026-01-02"],
    [" 2026-01-02 ", "2026-01-02"],
    ["\u200e1/\u200e2/\u200e2026", "2026-01-02"],
    ["02/29/2024", "2024-02-29"],
    ["12/31/1900", "1900-12-31"],
  ])("parses %j as %s", (text, iso) => expect(parseDate(text)).toBe(iso));

  test.each([
    "",
    "02/30/2026",
    "02/29/2025",
    "2026-02-30",
    "13/01/2026",
    "25/04/1990",
    "00/10/2026",
    "01/02/26",
    "2026-1-2",
    "20260102",
    "1022026",
  ])("%j is refused as no date", (text) => expect(parseDate(text)).toBeNull());

  test.each([
    "2026-01-02T00:00:00Z",
    "tomorrow",
    "01/02/2026 10:00",
    "Nov 11, 2019 8:00 AM",
    "11 Nov 2019",
    "3/4/20 10:15",
    "3.4.2026",
    "1/2-2026",
    "1 / 2 / 2026",
    "01/02/20267",
  ])("%j is refused as another format", (text) => expect(parseDate(text)).toBeNull());

  test("today is a date of the local calendar", () => {
    const now = new Date();
    expect(date(today())).toBe(date(now));
    expect(parseDate(today())).toBe(today());
  });
});

describe("parseNumber", () => {
  test.each([
    ["", null],
    [" 12 ", 12],
    ["12345", 12_345],
    ["1,200", 1_200],
    ["99,999", 99_999],
    ["1,234,567.50", 1_234_567.5],
    ["-1,200", -1_200],
    [".5", 0.5],
    ["1,20", Number.NaN],
    ["1,2000", Number.NaN],
    ["1200,5", Number.NaN],
    [",200", Number.NaN],
    ["0,200", Number.NaN],
    ["1e2", Number.NaN],
    ["12 people", Number.NaN],
  ])("reads %o as %o", (typed, expected) => expect(parseNumber(typed)).toBe(expected));
});

describe("parseMinutes", () => {
  test.each([
    ["", null],
    ["  ", null],
    ["75", 75],
    ["0", 0],
    ["1:15", 75],
    ["1:30", 90],
    ["1h15", 75],
    ["1h20", 80],
    ["1h", 60],
    ["1 h 15 m", 75],
    [":45", 45],
    ["1:75", Number.NaN],
    ["1.5", Number.NaN],
    ["1,5", Number.NaN],
    ["1e2", Number.NaN],
    [":", Number.NaN],
    ["-5", -5],
    ["-1:15", Number.NaN],
    ["an hour", Number.NaN],
  ])("reads %o as %o minutes", (typed, expected) => expect(parseMinutes(typed)).toBe(expected));
});

describe("helper rules", () => {
  test.each([null, undefined, "", "  ", [], Number.NaN])("%j is not present", (value) => {
    expect(isPresent(value)).toBe(false);
    expect(presence("Name it")(value)).toBe("Name it");
  });
  test.each([false, 0, "a", [0], {}])("%j is present", (value) => {
    expect(isPresent(value)).toBe(true);
    expect(presence("Name it")(value)).toBe(true);
  });
  test.each([
    null,
    undefined,
    "",
    " ",
    "abc",
    0,
    -1,
    "-3",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    [],
    [1],
  ])("%j is not greater than zero", (value) => {
    expect(isGreaterThanZero(value)).toBe(false);
    expect(greaterThanZero("More")(value)).toBe("More");
  });
  test.each([1, 0.01, "2"])("%j is greater than zero", (value) => {
    expect(isGreaterThanZero(value)).toBe(true);
    expect(greaterThanZero("More")(value)).toBe(true);
  });
});

describe("the clock of a browser", () => {
  const SUMMER = Date.parse("2026-07-04T03:30:15Z");
  const WINTER = Date.parse("2026-12-31T09:59:59Z");
  const browser = (zone: string, serverNow: number) => {
    vi.stubGlobal("window", globalThis);
    setClock(zone, serverNow);
  };
  afterEach(() => {
    browser(Intl.DateTimeFormat().resolvedOptions().timeZone, Date.now());
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  // The process of this test is in Los Angeles.
  test.each([
    ["America/New_York", SUMMER, "2026-07-03", "07/03/26 11:30 PM"],
    ["America/Los_Angeles", SUMMER, "2026-07-03", "07/03/26 08:30 PM"],
    ["Pacific/Kiritimati", SUMMER, "2026-07-04", "07/04/26 05:30 PM"],
    ["Asia/Kathmandu", SUMMER, "2026-07-04", "07/04/26 09:15 AM"],
    ["UTC", SUMMER, "2026-07-04", "07/04/26 03:30 AM"],
    ["America/New_York", WINTER, "2026-12-31", "12/31/26 04:59 AM"],
    ["Pacific/Kiritimati", WINTER, "2026-12-31", "12/31/26 11:59 PM"],
    ["Pacific/Pago_Pago", WINTER, "2026-12-30", "12/30/26 10:59 PM"],
  ])("in %s, the moment %i is on %s, shown as %s", (zone, moment, day, time) => {
    browser(zone, moment);
    const text = new Date(moment).toISOString();
    expect([today(new Date(moment)), shortDateTimeOfDay(text), date(text)]).toEqual([
      day,
      time,
      `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`,
    ]);
    expect(date("2026-07-04")).toBe("07/04/2026");
  });

  test("counts on from the server's time if the browser's own clock is wrong", () => {
    vi.useFakeTimers({ now: Date.parse("2031-01-01T00:00:00Z") });
    browser("America/New_York", SUMMER);
    expect([now(), today()]).toEqual([SUMMER, "2026-07-03"]);
    vi.advanceTimersByTime(30 * 60_000);
    expect([now(), today()]).toEqual([SUMMER + 30 * 60_000, "2026-07-04"]);
  });

  test("keeps to the browser's time zone if it does not know the organization's", () => {
    browser("Mars/Olympus_Mons", SUMMER);
    expect(shortDateTimeOfDay(new Date(SUMMER))).toBe("07/03/26 08:30 PM");
  });

  test("is not set on the server", () => {
    setClock("Pacific/Kiritimati", SUMMER);
    expect(shortDateTimeOfDay(new Date(SUMMER))).toBe("07/03/26 08:30 PM");
  });
});
