import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseSubnet } from "@/lib/core/process/subnets";
import { compose, interpolate } from "@/tests/compose";
import { commandsOf, problemsOf } from "@/tests/page-commands";

// The installation with Docker: docker-compose.yml, Dockerfile, Caddyfile, and the pages that operators follow.

const read = (file: string) => readFileSync(file, "utf8");
const { services, secrets, volumes, networks } = compose();
const dockerfile = read("Dockerfile");
const caddyfile = read("Caddyfile");
const ALL = Object.entries(services);

/** Returns the names and the example values of the table in install.md. */
function settingsOfInstall(): Record<string, string> {
  const [, table = ""] = /\| variable \| value \|\n(.*?)\n\n/s.exec(read("docs/operate/install.md")) ?? [];
  const names = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name),
  );
  return Object.fromEntries(names.map((name) => [name, "x".repeat(64)]));
}

/** Returns each text of a value, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : value && typeof value === "object"
      ? Object.values(value).flatMap(textsIn)
      : [];

describe("docker-compose.yml", () => {
  test("mounts no file of this folder, whose mode an operator's umask may restrict", () => {
    const sources = ALL.flatMap(([, service]) => service.volumes ?? []).map((mount) =>
      interpolate(mount, {}).replace(/:.*/, ""),
    );
    const allowed = [...Object.keys(volumes), "/dev/null", "./backups", "./backups/recovery"];
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((source) => !allowed.includes(source))).toEqual([]);
  });

  test("runs only files that its images contain, which every account can read", () => {
    const [, copied = ""] = /AS database\nCOPY (.*) \/\n/.exec(dockerfile) ?? [];
    const contained = copied.split(" ").map((file) => file.replace("lib/ops", ""));
    const modes = [...dockerfile.matchAll(/chmod (?:644|755)((?: \/[\w./-]+)+)/g)].flatMap(([, files = ""]) =>
      files.trim().split(" "),
    );
    const used = ALL.flatMap(([, { command = [], entrypoint = [] }]) =>
      textsIn([command, entrypoint]).flatMap((text) => text.match(/\/\w+\.(sh|conf|sql)/g) ?? []),
    );
    expect([...new Set(used)].sort()).toEqual(["/backup.sh", "/pg_hba.conf", "/recovery.sh"]);
    for (const file of [...used, "/after-restore.sql"]) expect(contained).toContain(file);
    for (const file of [...contained, "/etc/caddy/Caddyfile"]) expect(modes).toContain(file);
  });

  test("builds each of its images from a target of the Dockerfile, except the mail catcher's", () => {
    const targets = [...dockerfile.matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name);
    const built = ALL.filter(([name]) => name !== "mail").map(([, { build }]) => build?.target ?? "none");
    expect(built.filter((target) => !targets.includes(target))).toEqual([]);
    const byImage = new Map(ALL.map(([, { image, build }]) => [image, build?.target]));
    for (const [name, { image, build }] of ALL) expect(byImage.get(image), name).toBe(build?.target);
  });

  test("archives with a command that fails with a code that PostgreSQL counts", () => {
    const command = services.database?.command?.find((word) => word.startsWith("archive_command="));
    const line = String(command).replace("archive_command=", "").replace("%p %f", "path name");
    expect(line).toContain("/recovery.sh archive");
    for (const broken of [
      line,
      line.replace("bash ", "no-such-program "),
      line.replace("bash ", "/dev/null "),
    ]) {
      const { status } = spawnSync("sh", ["-c", broken], { encoding: "utf8" });
      expect(status, broken).toBe(1);
    }
  });

  test("has a network with IPv6 whose addresses are trusted as the proxy's, so that the program sees the client's", () => {
    const { enable_ipv6 = "", ipam } = networks.outside ?? {};
    expect(interpolate(enable_ipv6, {})).toBe("true");
    const [{ subnet = "" } = {}] = ipam?.config ?? [];
    expect(parseSubnet(subnet)).not.toBeNull();
    expect(subnet).toMatch(/^fd/);
    for (const name of ["app", "practice"])
      expect(services[name]?.environment?.TRUSTED_PROXIES?.split(",")).toContain("fc00::/7");
  });

  test("publishes the proxy on all addresses, or on one", () => {
    const published = (values = {}) => services.proxy?.ports?.map((port) => interpolate(port, values));
    expect(published()).toEqual(["80:80", "443:443"]);
    expect(published({ PUBLISH_ADDRESS: "0.0.0.0" })).toEqual(["0.0.0.0:80:80", "0.0.0.0:443:443"]);
  });

  test("accepts each secret that .env.example names as a file", () => {
    const [, listed = ""] =
      /# Each of (AUTH_SECRET.*?)can be read from a file/s.exec(read(".env.example")) ?? [];
    const ofCompose: Record<string, string> = {
      DATABASE_PASSWORD: "PROGRAM_PASSWORD",
      DATABASE_OWNER_PASSWORD: "POSTGRES_PASSWORD",
    };
    const names = (listed.match(/[A-Z_]{4,}/g) ?? []).filter(
      (name) => !["DATABASE_URL", "DATABASE_OWNER_URL"].includes(name),
    );
    expect(names.length).toBe(11);
    for (const name of names) {
      const variable = `${ofCompose[name] ?? name}_FILE`;
      const service = services[name === "BACKUP_PASSPHRASE" ? "backup" : "app"];
      const place = interpolate(service?.environment?.[`${name}_FILE`] ?? "", { [variable]: "/secret" });
      expect(place, name).toMatch(/^\/run\/secrets\/\w+$/);
      expect(interpolate(service?.environment?.[`${name}_FILE`] ?? "", {}), name).toBe("");
      const secret = place.replace("/run/secrets/", "");
      expect(service?.secrets, name).toContain(secret);
      expect(interpolate(secrets[secret]?.file ?? "", { [variable]: "/secret" }), name).toBe("/secret");
      expect(read(".env.example"), variable).toContain(`\n${variable}=`);
    }
  });

  test("needs no variable that install.md does not let the operator set", () => {
    const settings = settingsOfInstall();
    expect(Object.keys(settings)).toContain("BACKUP_PASSPHRASE");
    for (const text of textsIn({ services, secrets, networks }))
      expect(interpolate(text, settings)).not.toContain("$");
    const example = read(".env.example");
    for (const name of Object.keys(settings)) expect(example).toContain(`\n${name}=`);
    for (const name of ["SITE_NAME", "TZ"])
      expect(() =>
        textsIn(services).map((text) => interpolate(text, { ...settings, [name]: undefined })),
      ).toThrow(name);
  });

  test("needs SMTP_URL or SMTP_URL_FILE, which only the program can check", () => {
    expect(services.app?.environment?.SMTP_REQUIRED).toBe("true");
  });

  test("keeps alarms and seals in a volume that the program's account owns", () => {
    expect(services.app?.environment?.LOG_DIR).toBe("/logs");
    expect(services.app?.volumes).toContain("logs:/logs");
    expect(volumes).toHaveProperty("logs");
    expect(dockerfile).toContain("RUN install -d -m 700 -o node -g node /logs\nUSER node");
  });
});

describe("the proxy", () => {
  test("offers no HTTP/3 while docker-compose.yml publishes no UDP port", () => {
    expect(services.proxy?.ports?.filter((port) => port.endsWith("/udp"))).toEqual([]);
    expect(caddyfile).toContain("\t\tprotocols h1 h2\n");
  });

  test("uses the operator's certificate without a change of its file", () => {
    const mount = services.proxy?.volumes?.find((volume) => volume.includes("CERTIFICATE_FOLDER"));
    expect(interpolate(String(mount), { CERTIFICATE_FOLDER: "./certs" })).toBe("./certs:/certs:ro");
    const CERTIFICATE = services.proxy?.environment?.CERTIFICATE ?? "";
    const used = (values: Record<string, string>) =>
      `(certificate${interpolate(CERTIFICATE, values)}) {\n\ttls `;
    expect(caddyfile).toContain("\timport certificate{$CERTIFICATE}\n");
    expect(caddyfile).toContain(`${used({})}internal\n`);
    expect(caddyfile).toContain(`${used({ CERTIFICATE_FOLDER: "./certs" })}/certs/cert.pem /certs/key.pem\n`);
  });

  test("answers every other name itself, with 421 and the application's headers", () => {
    expect(caddyfile).toMatch(/\nhttp:\/\/, https:\/\/ \{\n\timport misdirected /);
    expect(caddyfile).toMatch(/\n\(misdirected\) \{\n\timport own_answer\n/);
  });
});

const PAGES = [
  "install",
  "upgrade",
  "recover",
  "backup-and-restore",
  "practice",
  "keys",
  "audit-trail",
  "monitor",
  "index",
];
const OTHER_PAGES = [
  "configure",
  "retention",
  "single-sign-on",
  "troubleshoot",
  "users-and-sign-in",
  "release-notes-template",
];

test.each(["backup.sh", "recovery.sh"])("%s prints only commands that work on the host", (name) => {
  const said = [...read(`lib/ops/${name}`).matchAll(/^ .*(?:echo|refuse) "(?:[^"]*)"/gm)].map(
    ([line]) => line,
  );
  const programs = said.filter((line) => /\b(dropdb|createdb|psql|chown)\b/.test(line));
  expect(programs.length).toBeGreaterThan(0);
  for (const line of programs) {
    const [command = ""] = /docker compose [^"]+/.exec(line) ?? [];
    expect(command, line).not.toBe("");
    expect(
      problemsOf(command.replace(/\$\{\w+:-([^}]*)\}/g, "$1"), "recovery: add it to COMPOSE_PROFILES"),
    ).toEqual([]);
  }
});

describe("the pages for operators", () => {
  test.each([...PAGES, ...OTHER_PAGES].map((name) => path.join("docs", "operate", `${name}.md`)))(
    "%s has only commands that fit the files of the repository",
    (page) => {
      const commands = commandsOf(page);
      expect(commands.length).toBeGreaterThan(0);
      const text = read(page);
      expect(
        commands.map((command) => [command, problemsOf(command, text)]).filter(([, found]) => found?.length),
      ).toEqual([]);
    },
  );

  test.each([
    ["docker compose --profile practise up --detach", "practise is no profile"],
    ["docker compose up --detached", "up has no --detached here"],
    ["docker compose restart proxy backups", "backups is no service"],
    ["docker compose run --rm backup later", "backup.sh has no later"],
    ["docker compose exec recovery bash /recover.sh base", "no image contains /recover.sh"],
    ["docker compose exec app node server/adm.js a@example.org", "the image has no server/adm.js"],
    ["docker compose exec app sh -c 'node server/verify.js /logs/*'", "the image has no server/verify.js"],
    ["docker compose up --detach $(docker compose list --services)", "docker compose list is not known"],
    ["docker compose logs practice | grep x", "the page does not say how practice is activated"],
    ["docker volume rm casebook_practise", "casebook_practise is no volume"],
    [
      "BACKUP_SECRET=/x docker compose run --rm recovery drill now",
      ".env.example does not have BACKUP_SECRET",
    ],
    ["docker compose config --images | xargs docker export", "docker export is not known"],
    ["npm run back-up", "npm has no script back-up"],
    ["cp lib/ops/lanternbook.service /etc/systemd/system/", "lib/ops/lanternbook.service does not exist"],
    ["dokcer compose up", "dokcer is no known program"],
  ])("a command that does not fit is found: %s", (command, problem) => {
    expect(problemsOf(command)).toContain(problem);
  });
});
