import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { GET as serve } from "@/app/branding/[hash]/route";
import { mailLogo } from "@/emails/mailer";
import { branding, palette } from "@/lib/core/branding/branding";
import { contrast } from "@/lib/core/branding/palette";
import { db } from "@/lib/core/database/client";
import { colorProblem, organizationBody } from "@/lib/organization/schema";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";

// The organization in Settings: its name, help text, color, and logo.

let keeper: Person;
let other: Person;

beforeAll(async () => {
  [keeper, other] = await Promise.all([makeUser(["organization"]), makeUser(["organization", "audit-log"])]);
});

const DEFAULTS = { name: "Victim Services", shortName: "", helpText: "", color: null, logo: null };
const read = async () => (await call(keeper.cookie, "GET", "/api/organization")).body.organization;
const save = (organization: object, by = keeper) =>
  call(by.cookie, "PUT", "/api/organization", { organization });

afterEach(async () => {
  await save(DEFAULTS);
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 11, g: 107, b: 100, alpha: 1 } } });
const base64 = (bytes: Buffer) => bytes.toString("base64");
const served = (logo: string) =>
  serve(new Request(`http://localhost${logo}`), {
    params: Promise.resolve({ hash: logo.split("/")[2] ?? "" }),
  });

describe("the values", () => {
  test("are those of the environment until someone saves others, and a PUT changes only what it names", async () => {
    expect(await read()).toMatchObject(DEFAULTS);
    const { status, body } = await save({ name: "Safe Harbor", shortName: "SH" });
    expect([status, body.organization]).toMatchObject([
      200,
      { ...DEFAULTS, name: "Safe Harbor", shortName: "SH" },
    ]);
    await save({ helpText: "Help: extension 214\nor help@example.org" });
    expect(await read()).toMatchObject({
      name: "Safe Harbor",
      helpText: "Help: extension 214\nor help@example.org",
    });
    expect(await branding()).toEqual({
      organization: "Safe Harbor",
      shortName: "SH",
      help: "Help: extension 214\nor help@example.org",
      logo: null,
    });
  });

  test("are saved over the version that the caller read, else 409 names the other user", async () => {
    const { lockVersion } = await read();
    expect((await save({ name: "First", lockVersion }, other)).body.organization.lockVersion).toBe(
      lockVersion + 1,
    );
    const late = await save({ name: "Second", lockVersion });
    expect([late.status, late.body.code]).toEqual([409, "conflict_version"]);
    expect(late.body.error).toContain(`${other.firstName} ${other.lastName}`);
    expect((await read()).name).toBe("First");
    // Nothing changes: no version, and a view.
    expect((await save({ name: "First" })).body.organization.lockVersion).toBe(lockVersion + 1);
  });

  test("are in the Audit Log by field, and a save without changes is a view", async () => {
    await save({ name: "Logged", color: "#7a1f5c" }, other);
    await save({ name: "Logged" }, other);
    const path = "/api/audit_events?filters[entity]=organization&perPage=2";
    const { auditEvents } = (await call(other.cookie, "GET", path)).body;
    expect(
      auditEvents.map(({ action, fields }: { action: string; fields: string[] }) => [action, fields]),
    ).toEqual([
      ["viewed", []],
      ["updated", ["organization.name", "organization.color"]],
    ]);
  });

  test.each([
    ["a blank name", { name: "  " }, "name"],
    ["a long name", { name: "x".repeat(256) }, "name"],
    ["a long short name", { shortName: "x".repeat(31) }, "shortName"],
    ["a long help text", { helpText: "x".repeat(501) }, "helpText"],
    ["a link", { helpText: "See https://evil.example/login" }, "helpText"],
    ["a link without a scheme", { helpText: "Sign in at www.evil.example" }, "helpText"],
    ["a domain", { helpText: "Go to reset-password.com today" }, "helpText"],
    ["a script", { helpText: "javascript:alert(1)" }, "helpText"],
    ["a hidden direction", { name: "Safe \u202ERobrah" }, "name"],
    ["a color without its sign", { color: "0b6b64" }, "color"],
    ["a color by name", { color: "teal" }, "color"],
    ["a short color", { color: "#abc" }, "color"],
    ["white", { color: "#ffffff" }, "color"],
    ["yellow", { color: "#ffff00" }, "color"],
    ["black", { color: "#000000" }, "color"],
    ["a text as logo", { logo: "hello" }, "logo"],
    ["a text of many blanks as logo", { logo: `${" ".repeat(700_000)}!` }, "logo"],
  ])("refuse %s and name the field", async (_words, values, field) => {
    const { status, body } = await save(values);
    expect([status, Object.keys(body.fields)]).toEqual([422, [`organization.${field}`]]);
    expect(await read()).toMatchObject(DEFAULTS);
  });

  test.each([
    "Help: ext. 214",
    "Call (412) 555-0100, Mon.-Fri. 9 a.m.",
    "it@example.org",
    "e.g. the front desk",
  ])("allow the help text %j", (helpText) => {
    expect(organizationBody.safeParse({ organization: { helpText } }).success).toBe(true);
  });

  test("require Organization and a recent proof", async () => {
    const outsider = await makeUser(["users", "roles"]);
    expect((await call(outsider.cookie, "GET", "/api/organization")).status).toBe(403);
    expect((await save({ name: "Taken" }, outsider)).status).toBe(403);
    const stale = await makeUser(["organization"]);
    await db().session.updateMany({ where: { userId: stale.id }, data: { provedAt: new Date(0) } });
    const { status, body } = await save({ name: "Taken" }, stale);
    expect([status, body.code]).toEqual([403, "proof_needed"]);
    expect((await call(stale.cookie, "GET", "/api/organization")).status).toBe(200);
  });
});

describe("the color", () => {
  test.each(["#0b6b64", "#7A1F5C", "#1f4e9c", "#b3261e", "#000080"])(
    "%s is used in both schemes",
    async (color) => {
      expect((await save({ color })).status).toBe(200);
      const { accent, "on-accent": on } = (await palette()) ?? {};
      if (!accent || !on) throw new Error("no palette");
      expect(contrast(accent[0], "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(accent[1], "#182129")).toBeGreaterThanOrEqual(4.5);
      for (const scheme of [0, 1] as const)
        expect(contrast(on[scheme], accent[scheme])).toBeGreaterThanOrEqual(4.5);
    },
  );

  test("is refused exactly if it is too light for white or too near to black", () => {
    const steps = ["00", "33", "66", "99", "cc", "ff"];
    const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
    for (const color of colors) {
      const isSeen = contrast(color, "#ffffff") >= 3 && contrast(color, "#000000") >= 1.2;
      expect(colorProblem(color) === null, color).toBe(isSeen);
    }
  });
});

describe("the logo", () => {
  test.each([
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["webp", "image/png"],
  ] as const)("of the format %s is decoded, encoded again, and served to anyone", async (format, type) => {
    const bytes = await picture(1_200, 600)
      .withMetadata({ exif: { IFD0: { Artist: "Jane Doe" } } })
      [format]()
      .toBuffer();
    const { status, body } = await save({ logo: `data:image/${format};base64,${base64(bytes)}` });
    expect(status).toBe(200);
    const { logo } = body.organization;
    expect(logo).toMatch(/^\/branding\/[0-9a-f]{32}$/);
    const response = await served(logo);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const stored = Buffer.from(await response.arrayBuffer());
    expect(await sharp(stored).metadata()).toMatchObject({ width: 512, height: 256 });
    expect(stored.includes("Jane Doe")).toBe(false);
    expect((await mailLogo())?.hash).toBe(logo.split("/")[2]);
    expect((await branding()).logo).toBe(logo);
    // The present address changes nothing; null removes it, and its address ends.
    expect((await save({ logo, name: "Kept" })).body.organization.logo).toBe(logo);
    expect((await save({ logo: null })).body.organization.logo).toBeNull();
    expect((await served(logo)).status).toBe(404);
  });

  test("in lines of base64 keeps its size if it is small, and drops what follows the image", async () => {
    const bytes = Buffer.concat([
      await picture(64, 64).png().toBuffer(),
      Buffer.from("<script>alert(1)</script>"),
    ]);
    const inLines = base64(bytes).replace(/.{76}/g, "$&\r\n");
    const { logo } = (await save({ logo: `${inLines}\n` })).body.organization;
    const stored = Buffer.from(await (await served(logo)).arrayBuffer());
    expect(await sharp(stored).metadata()).toMatchObject({ width: 64, height: 64, format: "png" });
    expect(stored.includes("script")).toBe(false);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  test.each([
    ["an SVG", async () => Buffer.from(svg), "must be a PNG, JPEG, or WebP image"],
    ["an SVG after an XML head", async () => Buffer.from(`<?xml version="1.0"?>${svg}`), "must be a PNG"],
    ["a file of many comments", async () => Buffer.from("<!---->".repeat(999)), "must be a PNG"],
    ["an SVG after comments", async () => Buffer.from(`<!-- a --> <!-- b -->${svg}`), "must be a PNG"],
    ["a web page", async () => Buffer.from("<html><script>1</script></html>"), "must be a PNG"],
    ["a GIF", () => picture(9, 9).gif().toBuffer(), "must be a PNG"],
    ["a head of PNG without an image", async () => Buffer.from("89504e470d0a1a0a", "hex"), "is not an image"],
    [
      "an SVG after a head of PNG",
      async () => Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, "latin1"),
      "is not an image",
    ],
    ["half an image", async () => (await noise(300)).subarray(0, 9_000), "is not an image"],
    ["too many pixels", () => picture(2_001, 10).png().toBuffer(), "2,000 pixels"],
    [
      "a small file that claims to have too many pixels",
      async () => claiming(await picture(9, 9).png().toBuffer(), 60_000),
      "is not an image",
    ],
    ["a large file", () => noise(500), "512 KB"],
  ])("is refused: %s", async (_words, make, problem) => {
    const { status, body } = await save({ logo: base64(await make()) });
    expect([status, Object.keys(body.fields)]).toEqual([422, ["organization.logo"]]);
    expect(body.fields["organization.logo"]).toContain(problem);
    expect((await read()).logo).toBeNull();
  });
});

/** Returns the PNG with another width and height in its head. */
function claiming(png: Buffer, side: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

/** A PNG that cannot be compressed. */
const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      noise: { type: "gaussian", mean: 128, sigma: 90 },
      background: "white",
    },
  })
    .png()
    .toBuffer();
