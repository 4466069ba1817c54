import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { call } from "@/tests/call";
import { addClient, addForm, makeReporter, type Reporter } from "./world";

describe("a report as CSV", () => {
  test("names its filters, and in its file name only their ids", async () => {
    const { owner, viewer } = await makeReporter();
    const { id: type } = await db().formType.findUniqueOrThrow({ where: { name: "Phone" } });
    const period = "from=2001-10-01&to=2001-12-31";
    const read = (query: string) => call(viewer.cookie, "GET", `/api/reports/pmt/csv?${period}&${query}`);
    const filtered = await read(`userId=${owner.id}&formTypeId=${type}`);
    expect(filtered.headers.get("content-disposition")).toBe(
      `attachment; filename="pmt-2001-10-01-2001-12-31-advocate-${owner.id}-type-${type}.csv"`,
    );
    expect(filtered.body).toContain(
      `12/31/2001,Advocate: ${owner.firstName} ${owner.lastName},Form Type: Phone\r\n`,
    );
    const copy = await read("share=true");
    expect(copy.headers.get("content-disposition")).toContain('2001-12-31-copy.csv"');
    expect(copy.body).toContain("12/31/2001,Copy for sharing\r\n");
  });

  let world: Reporter;
  beforeAll(async () => {
    world = await makeReporter();
    const ann = await addClient(world.owner);
    await addForm(world.owner, ann, "2001-10-05", [["CRISIS", 30]]);
  });
  const csv = (query: string, path = "pmt") =>
    call(world.viewer.cookie, "GET", `/api/reports/${path}/csv?${query}`);

  test("has every line with its exact count, and no personal data in its file name", async () => {
    const { status, body, headers } = await csv("from=2001-10-01&to=2001-12-31");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="pmt-2001-10-01-2001-12-31.csv"');
    const lines = body.split("\r\n");
    expect(lines[0]).toBe("Section,Line,Label,Unit,Count");
    expect(body).toMatch(/\r\n[^\r,]*,10\/01\/2001 to 12\/31\/2001\r\n/);
    expect(body).toContain("Individuals served,individuals_served,Individuals served,individuals,1\r\n");
    expect(body).toContain("Race and ethnicity,race_not_tracked,Not tracked,new,0\r\n");
    expect(body).not.toMatch(/Client \d/);
  });

  test("shows small numbers only as <5 in a copy for sharing, which covers a whole quarter without filters", async () => {
    const { body } = await csv("from=2001-10-01&to=2001-12-31&share=true");
    expect(body).toContain("Individuals served,individuals_served,Individuals served,individuals,<5\r\n");
    for (const query of ["from=2001-10-01&to=2001-11-30", "from=2001-10-01&to=2001-12-31&userId=1"]) {
      const refused = await csv(`${query}&share=true`);
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["share"]]);
    }
  });

  test("for the time report has one row per day and code", async () => {
    const { body } = await csv(`from=2001-10-01&to=2001-12-31&userId=${world.owner.id}`, "time");
    expect(body.split("\r\n")).toEqual([
      "Day,Code,Minutes",
      "2001-10-05,CRISIS,30",
      "Total,,30",
      "Total,Other Service,0",
      "",
    ]);
  });
});
