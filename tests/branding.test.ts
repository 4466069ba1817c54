import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { activationMessage, passwordChangedMessage } from "@/emails/messages";
import { contrast, paletteOf } from "@/lib/core/branding/palette";
import { parseEnv } from "@/lib/core/process/env";
import { composeService } from "@/tests/compose";

// The organization's branding: its color, its logo and its help line.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lanternbook-face-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const steps = ["00", "40", "80", "c0", "ff"];
const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));

test("with any brand color, each text pair keeps a contrast of at least 4.5:1", () => {
  for (const color of colors) {
    const { accent, "accent-strong": strong, "accent-soft": soft, "on-accent": on } = paletteOf(color);
    const pairs = [
      [accent[0], "#ffffff"],
      [accent[0], "#f4f6f8"],
      [accent[0], "#eaeef2"],
      [strong[0], soft[0]],
      [strong[0], "#ffffff"],
      [on[0], accent[0]],
      [on[0], strong[0]],
      ["#17212b", soft[0]],
      [accent[1], "#182129"],
      [accent[1], "#0f151b"],
      [accent[1], "#222d37"],
      [strong[1], soft[1]],
      [on[1], accent[1]],
      [on[1], strong[1]],
    ] as const;
    for (const [text, ground] of pairs)
      expect(contrast(text, ground), `${color}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
});

test("a readable color is kept unchanged", () => {
  expect(paletteOf("#0b6b64").accent[0]).toBe("#0b6b64");
  expect(paletteOf("#ffd700").accent[1]).toBe("#ffd700");
});

test("the logo must be an image by its content and at most 200 KB, or the start names the invalid variable", async () => {
  const file = async (name: string, content: string | Buffer) => {
    await writeFile(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100)]);
  for (const good of [
    await file("logo", png),
    await file("logo.svg", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ]) {
    expect(parseEnv({ ORGANIZATION_LOGO: good }).ORGANIZATION_LOGO).toBe(good);
  }
  for (const bad of [
    path.join(folder, "missing.png"),
    folder,
    await file("page.png", "<html><script>1</script></html>"),
    await file("large.png", Buffer.concat([png, Buffer.alloc(200 * 1024)])),
  ]) {
    expect(() => parseEnv({ ORGANIZATION_LOGO: bad })).toThrow(/ORGANIZATION_LOGO: must name a readable PNG/);
  }
  expect(() => parseEnv({ ORGANIZATION_COLOR: "teal" })).toThrow(/ORGANIZATION_COLOR: must be a color/);
});

test("variables that still have their former, British name are read, unless the present one is set", () => {
  const former = {
    ORGANISATION_NAME: "Safe Harbor",
    ORGANISATION_COLOUR: "#0b6b64",
    ORGANISATION_HELP: "Ext. 214",
  };
  expect(parseEnv({ ...former, ORGANIZATION_HELP: "Ext. 300" })).toMatchObject({
    ORGANIZATION_NAME: "Safe Harbor",
    ORGANIZATION_COLOR: "#0b6b64",
    ORGANIZATION_HELP: "Ext. 300",
  });
  expect(() => parseEnv({ ORGANISATION_COLOUR: "teal" })).toThrow(/ORGANIZATION_COLOR: must be a color/);
});

test("docker-compose.yml mounts the file named by ORGANIZATION_LOGO where the program reads it", async () => {
  const app = await composeService("app");
  expect(app).toMatch(/^ {6}ORGANIZATION_LOGO: \$\{ORGANIZATION_LOGO:\+\/logo\}$/m);
  expect(app).toMatch(/^ {6}- \$\{ORGANIZATION_LOGO:-\$\{ORGANISATION_LOGO:-\/dev\/null\}\}:\/logo:ro$/m);
});

test("mail includes a logo in a format that mail readers show, and none if it is SVG", async () => {
  const svg = path.join(folder, "mark.svg");
  await writeFile(svg, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const png = path.join(folder, "mark.png");
  await writeFile(png, Buffer.from("89504e470d0a1a0a", "hex"));
  for (const [file, type] of [
    [svg, undefined],
    [png, "image/png"],
  ] as const) {
    vi.resetModules();
    vi.stubEnv("ORGANIZATION_LOGO", file);
    const { mailLogo } = await import("@/emails/mailer");
    expect((await mailLogo())?.type).toBe(type);
  }
  vi.unstubAllEnvs();
});

test("mail uses the organization's logo and color, and ends with its help line", () => {
  const sender = {
    organization: "Safe Harbor",
    help: "Help: <ext. 214>",
    colors: { accent: "#123456", onAccent: "#ffffff" },
    logo: "cid:logo",
  };
  for (const message of [
    activationMessage({ ...sender, firstName: "Ann", link: "https://cases.example.org/x" }),
    passwordChangedMessage(sender),
  ]) {
    expect(message.html).toContain('<img src="cid:logo" alt=""');
    expect(message.html).toContain("background:#123456");
    expect(message.html).toContain("<p>Help: &lt;ext. 214&gt;</p>");
    expect(message.text.trim()).toMatch(/Help: <ext\. 214>$/);
  }
});
