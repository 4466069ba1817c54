import { existsSync, readFileSync } from "node:fs";
import { type Compose, compose } from "@/tests/compose";

// Checks the commands of the operators' pages against the files that they use. It cannot run them: that needs Docker.

const read = (file: string) => readFileSync(file, "utf8");

/** Programs of an operator's shell that the pages use, and what they only write to the screen. */
const HOST_PROGRAMS = new Set([
  ...[
    "age",
    "age-keygen",
    "chmod",
    "chown",
    "cp",
    "curl",
    "echo",
    "gpg",
    "grep",
    "gunzip",
    "gzip",
    "head",
    "install",
  ],
  ...[
    "ln",
    "ls",
    "mv",
    "openssl",
    "rm",
    "ssh",
    "sudo",
    "systemctl",
    "systemd-run",
    "tail",
    "useradd",
    "xargs",
  ],
]);

const COMPOSE_FLAGS: Record<string, string[]> = {
  build: ["--pull"],
  config: ["--services", "--images"],
  cp: [],
  down: [],
  exec: ["-T", "--user"],
  images: [],
  logs: ["--since", "--no-log-prefix"],
  ps: ["--services"],
  pull: ["--ignore-buildable"],
  restart: [],
  rm: ["--stop", "--force"],
  run: ["--rm", "--user", "--entrypoint"],
  start: [],
  stop: [],
  up: ["--build", "--detach", "--force-recreate", "--no-build", "--pull"],
};
/** Flags that are followed by a value. In `build`, `--pull` has none. */
const WITH_VALUE = new Set(["--since", "--user", "--entrypoint", "up --pull"]);

const DOCKER: Record<string, RegExp> = {
  builder: /^prune --force --filter until=720h$/,
  image: /^prune --force$/,
  load: /^--input images\.tar\.gz$/,
  save: /^$/,
};

/** Returns the commands of a page: the lines of its `sh` blocks, and inline code that begins with docker or npm. */
export function commandsOf(page: string): string[] {
  const text = read(page);
  const block = /^ *```sh\n(.*?)^ *```$/gms;
  const blocks = [...text.matchAll(block)].flatMap(([, code = ""]) => linesOf(code));
  const inline = [...text.replace(block, "").matchAll(/`((?:docker|npm) [^`]+)`/g)].map(
    ([, code = ""]) => code,
  );
  // A setting is no command, and the name of a program neither.
  return [
    ...blocks.filter((line) => !/^#|^[A-Z_]+=(?!.* (docker|npm) )/.test(line)),
    ...inline.filter((code) => !/^docker( compose| load| inspect)?$/.test(code)),
  ];
}

/** Splits code into commands. One goes on after a backslash, and until its quotation mark is closed. */
function linesOf(code: string): string[] {
  const lines: string[] = [];
  let begun = "";
  for (const line of code.replaceAll("\\\n", " ").split("\n")) {
    begun = `${begun} ${line}`.trim();
    if ((begun.match(/'/g) ?? []).length % 2 === 1 && !begun.startsWith("#")) continue;
    if (begun) lines.push(begun);
    begun = "";
  }
  return lines;
}

/** Returns the problems of a command, in words; none if it fits the files of the repository. */
export function problemsOf(command: string, page = ""): string[] {
  const inner = [...command.matchAll(/\$\(([^()]+)\)|<\(([^()]+)\)/g)].map(([, a, b]) => a ?? b ?? "");
  const outer = command.replace(/ {2,}#.*$/, "").replace(/ ?\$\([^()]+\)|<\([^()]+\)/g, "");
  return [outer, ...inner].flatMap((text) => partsOf(text)).flatMap((words) => problemsOfOne(words, page));
}

/** Splits a line at `|`, `&&`, and `;` outside quotation marks, and each part into words. */
function partsOf(line: string): string[][] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"|;&]|&(?!&))+|\||&&|;/g) ?? [];
  const parts: string[][] = [[]];
  for (const word of words)
    if (["|", "&&", ";"].includes(word)) parts.push([]);
    else parts.at(-1)?.push(word.replace(/^(['"])(.*)\1$/s, "$2"));
  return parts.filter((part) => part.length > 0);
}

function problemsOfOne(given: string[], page: string): string[] {
  const words = given.filter((word) => !/^[<>]|^\d?>/.test(word));
  const problems: string[] = [];
  if (/^(until|do)$/.test(words[0] ?? "")) words.shift();
  if (["done", "sleep"].includes(words[0] ?? "")) return [];
  while (/^[A-Z_]+=/.test(words[0] ?? "")) {
    const [name = ""] = words.shift()?.split("=") ?? [];
    if (!read(".env.example").includes(`\n${name}=`)) problems.push(`.env.example does not have ${name}`);
  }
  const [program = "", ...rest] = words;
  if (program === "npm") return [...problems, ...problemsOfNpm(rest)];
  if (program !== "docker") {
    if (!HOST_PROGRAMS.has(program)) problems.push(`${program} is no known program`);
    if (program === "xargs" && rest[0] === "docker") problems.push(...problemsOfOne(rest, page));
    const files = rest.filter((word) => /^(docs|lib|tests)\//.test(word));
    return [
      ...problems,
      ...files.filter((file) => !existsSync(file)).map((file) => `${file} does not exist`),
    ];
  }
  if (rest[0] === "compose") return [...problems, ...problemsOfCompose(rest.slice(1), page)];
  if (rest[0] === "volume") return [...problems, ...problemsOfVolume(rest.slice(1))];
  if (!DOCKER[rest[0] ?? ""]?.test(rest.slice(1).join(" ")))
    problems.push(`docker ${rest.join(" ")} is not known`);
  return problems;
}

function problemsOfNpm([script = "", ...rest]: string[]): string[] {
  const { scripts } = JSON.parse(read("package.json"));
  const name = script === "run" ? (rest[0] ?? "") : script;
  return script === "ci" || name in scripts ? [] : [`npm has no script ${name}`];
}

function problemsOfVolume([verb, ...names]: string[]): string[] {
  const { name, volumes } = compose();
  const known = Object.keys(volumes).map((volume) => `${name}_${volume}`);
  if (verb !== "rm") return [`docker volume ${verb} is not known`];
  return names.filter((volume) => !known.includes(volume)).map((volume) => `${volume} is no volume`);
}

function problemsOfCompose(given: string[], page: string): string[] {
  const words = [...given];
  const { services } = compose();
  const profiles = new Set(Object.values(services).flatMap((service) => service.profiles ?? []));
  const problems: string[] = [];
  const active = new Set<string>();
  while (words[0] === "--profile") {
    active.add(String(words[1]));
    words.splice(0, 2);
  }
  for (const profile of active) if (!profiles.has(profile)) problems.push(`${profile} is no profile`);
  const [verb = "", ...rest] = words;
  const flags = COMPOSE_FLAGS[verb];
  if (!flags) return [...problems, `docker compose ${verb} is not known`];
  let at = 0;
  for (; rest[at]?.startsWith("-"); at++) {
    const flag = String(rest[at]);
    if (!flags.includes(flag)) problems.push(`${verb} has no ${flag} here`);
    if (WITH_VALUE.has(flag) || WITH_VALUE.has(`${verb} ${flag}`)) at++;
  }
  const operands = rest.slice(at);
  if (verb === "cp") return [...problems, ...problemsOfCopy(operands, services)];
  const named = verb === "exec" || verb === "run" ? operands.slice(0, 1) : operands;
  for (const name of named) {
    const service = services[name];
    if (!service) problems.push(`${name} is no service`);
    // Compose activates the profile of a service that a command names, except for `logs` and `ps`.
    const missing = (service?.profiles ?? []).filter((profile) => !active.has(profile));
    if (missing.some((profile) => !new RegExp(`${profile}[^.]*COMPOSE_PROFILES`, "s").test(page)))
      problems.push(`the page does not say how ${name} is activated`);
  }
  const isOther = rest.slice(0, at).includes("--entrypoint");
  if (verb === "exec" || (verb === "run" && !isOther))
    problems.push(...problemsInside(verb, operands, services));
  return problems;
}

function problemsOfCopy([from = "", to = ""]: string[], services: Compose["services"]): string[] {
  const [service = "", path] = from.split(":");
  return services[service] && path?.startsWith("/") && to ? [] : [`${from} is no file of a service`];
}

/** Returns the problems of what a command runs in a container. */
function problemsInside(
  verb: string,
  [service = "", ...words]: string[],
  services: Compose["services"],
): string[] {
  const entrypoint = verb === "run" ? (services[service]?.entrypoint ?? []) : [];
  const [program, file = "", ...rest] = [...entrypoint, ...words];
  if (program === "bash") return problemsOfScript(file, rest);
  if (program === "node" && file === "-e") return [];
  if (program === "node") return problemsOfProgram(file);
  if (program === "sh" && file === "-c")
    return [...(rest[0] ?? "").matchAll(/node (\S+)/g)].flatMap(([, name = ""]) => problemsOfProgram(name));
  if (service === "database" && ["psql", "dropdb", "postgres"].includes(program ?? "")) return [];
  if (program === "cat" && file === "sbom.cdx.json") return [];
  return [`${program} is not known in ${service}`];
}

function problemsOfScript(file: string, [mode = ""]: string[]): string[] {
  const [, name = ""] = /^\/(\w+\.sh)$/.exec(file) ?? [];
  if (!name || !read("Dockerfile").includes(`lib/ops/${name} `)) return [`no image contains ${file}`];
  const modes = [...read(`lib/ops/${name}`).matchAll(/^ {2}(\w+)\)/gm)].map(([, word]) => word);
  return modes.includes(mode) ? [] : [`${name} has no ${mode}`];
}

function problemsOfProgram(file: string): string[] {
  const [, list = ""] = /const PROGRAMS = \[(.*)\]/.exec(read("lib/ops/bundle.ts")) ?? [];
  const [, name = ""] = /^server\/([\w-]+)\.js$/.exec(file) ?? [];
  return list.includes(`"${name}"`) && name ? [] : [`the image has no ${file}`];
}
