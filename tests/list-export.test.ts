import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/client";
import { call } from "@/tests/call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Lists as CSV files (contract §11).

let ada: Person;
let ben: Person;
let clerk: Person;

const NAMES = ['=HYPERLINK("x")', "+1 555", "-2", "@sum", 'O\'Brien, "Bo"', "Zoë"];

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
/** The lines of a file without its header. */
const linesOf = (body: string) => body.split("\r\n").slice(1, -1);

describe("a list as CSV", () => {
  test("begins with a byte order mark and the screen's labels, and quotes what RFC 4180 says", async () => {
    const { status, headers, body } = await get(
      ada,
      `/api/clients.csv?filters[userId]=${ada.id}&sort=name&order=asc`,
    );
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="clients.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
    // Response.text() takes the mark away.
    expect(body.replace(/^\uFEFF/, "").split("\r\n")[0]).toBe("Id,Client Name,Advocate Name,Created On");
    expect(body.endsWith("\r\n")).toBe(true);
    expect(linesOf(body)).toHaveLength(NAMES.length);
    expect(body).toContain('"O\'Brien, ""Bo"""');
    expect(body).toContain("Zoë");
  });

  test("gives a text that begins as a formula an apostrophe", async () => {
    const { body } = await get(ada, "/api/forms.csv");
    for (const cell of [`"'=HYPERLINK(""x"")"`, "'+1 555", "'-2", "'@sum"])
      expect(body).toContain(`,${cell},`);
  });

  test("holds all pages of what is filtered, in the list's order, whatever page is asked for", async () => {
    const query = "filters[to]=2026-03-04&sort=client&order=desc";
    const listed = await get(ada, `/api/forms?${query}&perPage=100`);
    const ids = listed.body.forms.map(({ id }: { id: number }) => String(id));
    const { body } = await get(ada, `/api/forms.csv?${query}&page=7&perPage=1`);
    expect(linesOf(body).map((line) => line.split(",")[0])).toEqual(ids);
    expect(linesOf((await get(ada, "/api/forms.csv?filters[from]=2026-03-06")).body)).toEqual([]);
    expect((await get(ada, "/api/forms.csv?sort=nothing")).status).toBe(422);
  });

  test("holds no form that its reader may not see, and is for holders of Export alone", async () => {
    const ofBen = `${ben.firstName} ${ben.lastName}`;
    expect((await get(ada, "/api/forms.csv")).body).not.toContain(ofBen);
    expect((await get(clerk, "/api/forms.csv")).body).toContain(ofBen);
    expect((await get(ben, "/api/forms.csv")).status).toBe(403);
    expect((await get(await makeUser(["export"]), "/api/clients.csv")).status).toBe(403);
  });

  test("is recorded as exported with the ids that it holds", async () => {
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

test("the user filter offers those who have forms, to those who see them", async () => {
  const { formOwners } = await import("@/lib/forms/data");
  const { actorFor } = await import("@/tests/call");
  expect(await formOwners(await actorFor(clerk))).toEqual([ada.id, ben.id].sort((a, b) => a - b));
  expect(await formOwners(await actorFor(ada))).toEqual([ada.id]);
});
