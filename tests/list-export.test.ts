import pg from "pg";
import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { XLSX } from "@/lib/core/api/list-file";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { wallTime } from "@/lib/core/text/clock";
import { today } from "@/lib/core/text/format";
import { answerNext as GET } from "@/lib/route";
import { call, routes } from "@/tests/call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { filesIn } from "@/tests/zip";

// Lists as CSV and XLSX files.

let ada: Person;
let ben: Person;
let clerk: Person;

const WIDE = ["＝1", "＋1", "－1", "＠1"];
const NAMES = ['=HYPERLINK("x")', "+1 555", "-2", "@sum", ...WIDE, 'O\'Brien, "Bo"', "Zoë"];

beforeAll(async () => {
  ada = await makeUser(["forms", "clients", "export"]);
  ben = await makeUser(["forms", "clients"]);
  clerk = await makeUser(["forms", "clients", "all-forms", "export"]);
  for (const name of NAMES) {
    const { id } = await makeClient(ada, { name });
    await makeForm(ada, { serviceOn: "2026-03-04" }, id);
  }
  await makeForm(ben, { serviceOn: "2026-03-05" });
});

const get = (person: Person, url: string) => call(person.cookie, "GET", url);
/** Returns the lines of a file without its header. */
const linesOf = (body: string) => body.split("\r\n").slice(1, -1);

describe("a list as CSV", () => {
  test("begins with a byte order mark and the screen's labels, and quotes according to RFC 4180", async () => {
    const { status, headers, body } = await get(
      ada,
      `/api/clients.csv?filters[userId]=${ada.id}&sort=name&order=asc`,
    );
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="clients.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
    // Response.text() removes the byte order mark.
    expect(body.replace(/^\uFEFF/, "").split("\r\n")[0]).toBe("Id,Client Name,Advocate Name,Created On");
    expect(body.endsWith("\r\n")).toBe(true);
    expect(linesOf(body)).toHaveLength(NAMES.length);
    expect(body).toContain('"O\'Brien, ""Bo"""');
    expect(body).toContain("Zoë");
  });

  test("prefixes text that begins as a formula with an apostrophe", async () => {
    const { body } = await get(ada, "/api/forms.csv");
    for (const cell of [`"'=HYPERLINK(""x"")"`, "'+1 555", "'-2", "'@sum", ...WIDE.map((name) => `'${name}`)])
      expect(body).toContain(`,${cell},`);
  });

  test("contains all pages of the filtered list in list order, whatever page is requested", async () => {
    const query = "filters[to]=2026-03-04&sort=client&order=desc";
    const listed = await get(ada, `/api/forms?${query}&perPage=100`);
    const ids = listed.body.forms.map(({ id }: { id: number }) => String(id));
    const { body } = await get(ada, `/api/forms.csv?${query}&page=7&perPage=1`);
    expect(linesOf(body).map((line) => line.split(",")[0])).toEqual(ids);
    expect(linesOf((await get(ada, "/api/forms.csv?filters[from]=2026-03-06")).body)).toEqual([]);
    expect((await get(ada, "/api/forms.csv?sort=nothing")).status).toBe(422);
  });

  test("contains only forms its reader may see, and needs Export", async () => {
    const ofBen = `${ben.firstName} ${ben.lastName}`;
    expect((await get(ada, "/api/forms.csv")).body).not.toContain(ofBen);
    expect((await get(clerk, "/api/forms.csv")).body).toContain(ofBen);
    expect((await get(ben, "/api/forms.csv")).status).toBe(403);
    expect((await get(await makeUser(["export"]), "/api/clients.csv")).status).toBe(403);
  });

  test("is recorded as exported with its ids", async () => {
    const { body } = await get(clerk, `/api/forms.csv?filters[userId]=${ada.id}`);
    const event = await db().auditEvent.findFirstOrThrow({
      where: { userId: clerk.id, action: "exported", entity: "form" },
      orderBy: { id: "desc" },
    });
    expect(event.shown.map(String).sort()).toEqual(
      linesOf(body)
        .map((line) => line.split(",")[0])
        .sort(),
    );
  });
});

/** Returns the cells of an XLSX file, read with an independent library. */
async function cellsOf(person: Person, url: string): Promise<unknown[][]> {
  const { status, headers, bytes } = await get(person, url);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe(
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  );
  const [sheet] = await readExcelFile(Buffer.from(bytes));
  return sheet?.data ?? [];
}
/** Returns the cells of a CSV file that contains no quotes. */
const csvCells = (body: string) =>
  body
    .replace(/^\uFEFF/, "")
    .split("\r\n")
    .slice(0, -1)
    .map((line) => line.split(","));

describe("a list as XLSX", () => {
  test("contains the same cells as the CSV file, with numbers as numbers and no formula", async () => {
    const query = "?filters[to]=2026-03-04&sort=client&order=desc";
    const cells = await cellsOf(ada, `/api/forms.xlsx${query}`);
    expect(cells[0]).toEqual(["Id", "Client", "Advocate Name", "Form Type", "Service Status", "Service On"]);
    expect(cells.slice(1).map(([id]) => id)).toEqual(
      linesOf((await get(ada, `/api/forms.csv${query}`)).body).map((line) => Number(line.split(",")[0])),
    );
    const names = cells.slice(1).map(([, client]) => client);
    for (const name of [
      '\'=HYPERLINK("x")',
      "'+1 555",
      "'-2",
      "'@sum",
      ...WIDE.map((name) => `'${name}`),
      'O\'Brien, "Bo"',
      "Zoë",
    ])
      expect(names).toContain(name);
    const { bytes, headers } = await get(ada, "/api/clients.xlsx?search=HYPERLINK");
    expect(headers.get("content-disposition")).toBe('attachment; filename="clients.xlsx"');
    expect(Buffer.from(bytes).subarray(0, 2).toString()).toBe("PK");
  });

  test("has days as dates, and moments as times of the organization's clocks, in columns that show them whole", async () => {
    const keeper = await makeUser([
      "export",
      "forms",
      "clients",
      "all-forms",
      "audit-log",
      "users",
      "shelter",
    ]);
    const days = {
      "/api/forms.xlsx?filters[to]=2026-03-04": ["Service On", "2026-03-04"],
      "/api/forms.xlsx?filters[to]=2026-03-04&columns=all": ["Service On", "2026-03-04"],
      [`/api/clients.xlsx?filters[userId]=${ada.id}`]: ["Created On", today()],
    };
    for (const [url, [label = "", day = ""]] of Object.entries(days)) {
      const [header = [], first] = await cellsOf(keeper, url);
      expect(first?.[header.indexOf(label)], url).toEqual(new Date(day));
    }
    const file = await get(keeper, "/api/audit_events.xlsx?filters[action]=exported&sort=at&order=asc");
    const [sheet] = await readExcelFile(Buffer.from(file.bytes));
    const [event] = (await get(keeper, "/api/audit_events?filters[action]=exported&sort=at&order=asc")).body
      .auditEvents;
    const at = sheet?.data[1]?.[1];
    const shown = wallTime(new Date(event.at));
    expect(at instanceof Date && Math.round(at.getTime() / 1_000)).toBe(Math.round(shown.getTime() / 1_000));
    const parts = await filesIn(file.bytes);
    expect(parts.get("xl/styles.xml")).toContain('formatCode="mm/dd/yyyy hh:mm:ss AM/PM"');
    expect(parts.get("xl/worksheets/sheet1.xml")).toMatch(
      /<col [^>]*min="2"[^>]*width="24"|<col [^>]*width="24"[^>]*min="2"/,
    );
    const [labels = [], ...users] = await cellsOf(keeper, "/api/users.xlsx");
    const logins = users.map((cells) => cells[labels.indexOf("Last Login At")]);
    expect(logins.every((login) => login === null || login instanceof Date)).toBe(true);
  });

  test("has no cell for a blank value, because a file of the largest form has more than 100,000 of them", async () => {
    const { bytes } = await get(clerk, "/api/forms.xlsx?columns=all");
    const sheet = (await filesIn(bytes)).get("xl/worksheets/sheet1.xml");
    expect(sheet).toContain("<t>Served</t>");
    expect(sheet).not.toMatch(/<t( [^>]*)?><\/t>|<t\/>/);
  });

  test("with days and moments is the same in CSV as before", async () => {
    expect(linesOf((await get(ada, "/api/forms.csv?filters[to]=2026-03-04")).body)[0]).toMatch(
      /,03\/04\/2026$/,
    );
    expect((await get(ada, "/api/forms.csv?columns=all&filters[to]=2026-03-04")).body).toContain(
      ",03/04/2026,",
    );
  });

  test("needs Export and the list's permission, and is recorded", async () => {
    expect((await get(ben, "/api/forms.xlsx")).status).toBe(403);
    expect((await get(await makeUser(["export"]), "/api/clients.xlsx")).status).toBe(403);
    const ofBen = `${ben.firstName} ${ben.lastName}`;
    expect((await cellsOf(ada, "/api/forms.xlsx")).flat()).not.toContain(ofBen);
    const cells = await cellsOf(clerk, "/api/forms.xlsx");
    expect(cells.flat()).toContain(ofBen);
    const event = await db().auditEvent.findFirstOrThrow({
      where: { userId: clerk.id, action: "exported", entity: "form" },
      orderBy: { id: "desc" },
    });
    expect(event.shown).toHaveLength(cells.length - 1);
  });

  test("is refused before it starts if it exceeds Excel's row limit, with a hint to use CSV", async () => {
    const { id } = await makeClient(ada);
    const codes = await db().serviceCode.findMany({
      where: { formTypes: { some: { formType: { name: "Service" } } } },
      take: 2,
    });
    const serviceProvidedEntriesAttributes = codes.map((code) => ({ serviceCodeId: code.id, minutes: 15 }));
    await makeForm(ada, { serviceEntryAttributes: { serviceProvidedEntriesAttributes } }, id);
    const events = () => db().auditEvent.count({ where: { userId: ada.id, action: "exported" } });
    const before = await events();
    const most = vi.spyOn(XLSX, "mostLines", "get").mockReturnValue(1);
    try {
      const url = `/api/forms.xlsx?filters[clientId]=${id}`;
      expect((await get(ada, url)).status).toBe(200);
      // One form with two services.
      for (const refused of ["/api/clients.xlsx", `${url}&columns=all`]) {
        const { status, body } = await get(ada, refused);
        expect([status, body]).toEqual([
          422,
          {
            code: "invalid",
            error:
              "An XLSX file can have at most 1 rows, and this list has more. Please download it as CSV or narrow the list.",
          },
        ]);
      }
      expect((await get(ada, "/api/clients.csv")).status).toBe(200);
      expect(await events()).toBe(before + 2);
    } finally {
      most.mockRestore();
    }
  });
});

test.each(["csv", "xlsx"])(
  "a list as %s is read while it is sent, and no further once the client has disconnected",
  async (format) => {
    const { id: userId, cookie } = await makeUser(["clients", "export"]);
    const clients = Array.from({ length: 500 }, () => ({
      name: "Streamed",
      createdOn: new Date("2026-03-04"),
      userId,
    }));
    // A file of eight batches.
    for (let batch = 0; batch < 8; batch++) await db().client.createMany({ data: clients });
    await routes.get(`/api/clients.${format}`)?.();
    const read = async () => {
      const address = `http://localhost:3000/api/clients.${format}?filters[userId]=${userId}`;
      const response = await GET(new Request(address, { headers: { cookie } }));
      expect(response.status).toBe(200);
      const reader = response.body?.getReader();
      if (!reader) throw new Error("No body");
      await reader.read();
      return reader;
    };
    const query = vi.spyOn(pg.Client.prototype, "query");
    const batches = () =>
      query.mock.calls.filter((given) => JSON.stringify(given).includes("export_page")).length;
    try {
      const reader = await read();
      expect(batches()).toBeLessThan(8);
      while (!(await reader.read()).done);
      expect(batches()).toBe(8);
      const left = await read();
      await left.cancel();
      expect(batches()).toBeLessThan(16);
      const before = batches();
      await get(ada, "/api/clients");
      expect(batches()).toBe(before);
    } finally {
      query.mockRestore();
    }
  },
);

test("a full export may take as long as a report, and a page only as long as a list", async () => {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    expect((await get(ada, "/api/clients.csv?search=Zo")).status).toBe(200);
    const texts = query.mock.calls.map((given) => JSON.stringify(given));
    const readAt = texts.findIndex((text) => text.includes("SELECT ARRAY(SELECT c.id"));
    const beginAt = texts.findLastIndex(
      (text, at) => at < readAt && text.includes("SET LOCAL statement_timeout = 20000"),
    );
    expect(beginAt).toBeGreaterThan(-1);
    expect(texts.findIndex((text, at) => at > beginAt && text.includes("ROLLBACK"))).toBeGreaterThan(readAt);
    expect(texts.findLastIndex((text) => text.includes("ROLLBACK"))).toBeLessThan(
      texts.findIndex((text) => text.includes("export_page")),
    );
  } finally {
    query.mockRestore();
  }
});

describe("a file of large records", () => {
  const isBatch = (given: unknown[]) => JSON.stringify(given).includes("clients exported");
  const fileUrl = (type: string) =>
    `/api/clients.${type}?filters[userId]=${large.id}&columns=all&sort=name&order=asc`;
  let large: Person;

  beforeAll(async () => {
    large = await makeUser(["clients", "export"]);
    for (let at = 0; at < 8; at += 1) {
      const { id } = await makeClient(large, { name: `Large ${at}`, clientDemographicEntryAttributes: {} });
      const text = sql`rpad(${`Text ${at}`}, 1500000, 'x')`;
      await rows(
        sql`UPDATE client_demographic_entries SET ethnicity_other = ${text} WHERE client_id = ${id}`,
      );
    }
  });

  /** Calls the file while the batch at this place fails for having taken too long. */
  async function whileFailing<T>(place: number, work: () => Promise<T>): Promise<T> {
    const { query } = pg.Client.prototype;
    let batches = 0;
    const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: pg.Client,
      ...given
    ) {
      if (!isBatch(given) || batches++ !== place) return Reflect.apply(query, this, given);
      throw Object.assign(new pg.DatabaseError("canceled", 1, "error"), { code: "57014" });
    });
    return work().finally(() => spy.mockRestore());
  }

  test("is read in batches that end at 4 MB, and is complete and in order", async () => {
    const query = vi.spyOn(pg.Client.prototype, "query");
    const { body } = await get(large, fileUrl("csv"));
    const batches = query.mock.calls.filter(isBatch).length;
    query.mockRestore();
    expect(batches).toBe(3);
    expect(linesOf(body).map((line) => /Text \d/.exec(line)?.[0])).toEqual(
      Array.from({ length: 8 }, (_, at) => `Text ${at}`),
    );
    expect(body.length).toBeGreaterThan(8 * 1_500_000);
  });

  test.each(["csv", "xlsx"])(
    "gets an error in words instead of an empty %s file if nothing can be read",
    async (type) => {
      const answer = await whileFailing(0, () => get(large, fileUrl(type)));
      expect([answer.status, answer.body.code]).toEqual([503, "too_slow"]);
    },
  );

  test("is cut off after a line that says so if it fails later", async () => {
    let text = "";
    const reading = whileFailing(1, async () => {
      const address = `http://localhost:3000${fileUrl("csv")}`;
      const { body } = await GET(new Request(address, { headers: { cookie: large.cookie } }));
      for await (const part of body ?? []) text += Buffer.from(part).toString();
    });
    await expect(reading).rejects.toThrow("This list takes too long to read");
    // Three lines have more than 4 MB.
    const lines = linesOf(text);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe("This file is incomplete. This list takes too long to read. Please narrow it.");
  });
});

describe("a settings list as a file", () => {
  test("has the columns of its screen, or with columns=all those of its form", async () => {
    const keeper = await makeUser(["export", "service-codes", "education-levels", "users"]);
    const levels = csvCells((await get(keeper, "/api/education_levels.csv")).body);
    expect(levels[0]).toEqual(["Id", "Name", "Sort Order"]);
    const { educationLevels } = (await get(keeper, "/api/education_levels?perPage=100")).body;
    expect(levels.slice(1)).toEqual(
      educationLevels.map((level: { id: number; name: string; sortOrder: number }) =>
        [level.id, level.name, level.sortOrder].map(String),
      ),
    );
    expect((await cellsOf(keeper, "/api/service_codes.xlsx"))[0]).toEqual(["Id", "Code", "Description"]);
    const [header, ...codes] = await cellsOf(keeper, "/api/service_codes.xlsx?columns=all");
    expect(header?.slice(3)).toEqual([
      ...["Can be Magistrate", "On Call Main Type", "Has Referral", "Hotel Shelter", "Videoconferencing"],
      "Form Type",
    ]);
    expect(codes[0]?.slice(3, 8).every((cell) => cell === "Yes" || cell === "No")).toBe(true);
    expect(String(codes[0]?.at(-1)).split("\n")).toContain("Service");
    expect(csvCells((await get(keeper, "/api/users.csv")).body)[0]).toEqual([
      "Id",
      "Full Name",
      "Email",
      "Role",
      "Last Login At",
    ]);
    const users = (await get(keeper, "/api/users.csv?columns=all")).body;
    expect(csvCells(users)[0]).toEqual(["Id", "First Name", "Last Name", "Email", "Role"]);
    expect((await get(keeper, "/api/canines.csv")).status).toBe(403);
    expect((await get(keeper, "/api/users.csv?columns=some")).body.fields).toHaveProperty("columns");
  });

  test("does not exist under another name", async () => {
    for (const url of ["/api/nothing.csv", "/api/canines.pdf", "/api/permissions.csv"])
      expect((await get(clerk, url)).status, url).toBe(404);
  });
});

test("the user filter offers holders of Forms and owners of forms, to holders of All Forms", async () => {
  const { usersToFilterBy } = await import("@/lib/forms/list-screen");
  const { actorFor } = await import("@/tests/call");
  const beginner = await makeUser(["forms"]);
  const mover = await makeUser(["forms"]);
  await makeForm(mover);
  const outsider = await makeUser(["canines"]);
  const { roleId } = await db().user.findUniqueOrThrow({ where: { id: outsider.id } });
  await db().user.update({ where: { id: mover.id }, data: { roleId } });
  const offered = (await usersToFilterBy(await actorFor(clerk)))?.map(({ id }) => id);
  expect(offered).toEqual(expect.arrayContaining([ada.id, ben.id, beginner.id, mover.id]));
  expect(offered).not.toContain(outsider.id);
  expect(await usersToFilterBy(await actorFor(ada))).toBeNull();
});

describe("with columns=all", () => {
  test("clients and forms include every field under its label, and forms have a line per service", async () => {
    const owner = await makeUser(["forms", "clients", "export"]);
    const { id } = await makeClient(owner, {
      name: "Whole Record",
      clientBiographicalEntryAttributes: { city: "Carlisle", dateOfBirth: "1990-02-03", safeToCall: true },
    });
    const { email } = await db().user.findUniqueOrThrow({ where: { id: owner.id } });
    const [header = [], ...rows] = await cellsOf(
      owner,
      `/api/clients.xlsx?columns=all&filters[userId]=${owner.id}`,
    );
    const cell = (label: string) => rows[0]?.[header.indexOf(label)];
    expect(rows).toHaveLength(1);
    expect(cell("Id")).toBe(id);
    expect(cell("Advocate Email")).toBe(email);
    expect(cell("Client Biographical: City")).toBe("Carlisle");
    expect(cell("Client Biographical: Date of Birth")).toEqual(new Date("1990-02-03"));
    expect(cell("Client Biographical: Safe to Call")).toBe("Yes");
    expect(cell("Client Demographics: Gender")).toBe(null);

    const codes = await db().serviceCode.findMany({
      where: { formTypes: { some: { formType: { name: "Service" } } } },
      orderBy: { id: "asc" },
      take: 2,
    });
    const form = await makeForm(
      owner,
      {
        serviceEntryAttributes: {
          serviceProvidedEntriesAttributes: codes.map((code, index) => ({
            serviceCodeId: code.id,
            minutes: 15 + index,
          })),
        },
      },
      id,
    );
    const lines = await cellsOf(owner, "/api/forms.xlsx?columns=all");
    const at = (label: string) => lines[0]?.indexOf(label) ?? -1;
    expect(
      lines
        .slice(1)
        .map((line) =>
          ["Id", "Client Id", "Client", "Services: Code", "Services: Minutes"].map(
            (label) => line[at(label)],
          ),
        ),
    ).toEqual(codes.map(({ code }, index) => [form.id, id, "Whole Record", code, 15 + index]));
  });
});
