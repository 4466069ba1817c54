import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { load } from "js-yaml";

/** Returns the part of docker-compose.yml that defines the service. */
export async function composeService(name: string): Promise<string> {
  const services = (await readFile("docker-compose.yml", "utf8")).split(/^ {2}(?=\w+:$)/m);
  return services.find((service) => service.startsWith(`${name}:`)) ?? "";
}

interface Build {
  context: string;
  target: string;
}

export interface Service {
  image: string;
  build?: Build;
  profiles?: string[];
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  secrets?: string[];
  volumes?: string[];
}

export interface Compose {
  name: string;
  secrets: Record<string, { file: string }>;
  services: Record<string, Service>;
  networks: Record<string, { enable_ipv6?: string; ipam?: { config: { subnet: string }[] } }>;
  volumes: Record<string, object>;
}

/** Returns the content of docker-compose.yml, with `${NAME}` as it is written. */
export const compose = (): Compose => load(readFileSync("docker-compose.yml", "utf8")) as Compose;

const NAME = /^[A-Z][A-Z0-9_]*/;

/**
 * Replaces `$NAME`, `${NAME}`, and `${NAME:-…}`, `${NAME:+…}`, and `${NAME:?…}` as Docker Compose does, also one in another.
 * Throws for a required variable that is blank, and for one without a default that `values` does not have.
 */
export function interpolate(text: string, values: Record<string, string | undefined>): string {
  let result = "";
  let at = 0;
  while (at < text.length) {
    if (text[at] !== "$") {
      result += text[at++];
      continue;
    }
    const isBraced = text[at + 1] === "{";
    const begin = at + (isBraced ? 2 : 1);
    const [name] = NAME.exec(text.slice(begin)) ?? [];
    if (!name) throw new Error(`Not a variable: ${text.slice(at)}`);
    const end = isBraced ? closing(text, begin) : begin + name.length;
    const rest = text.slice(begin + name.length, end);
    const value = values[name] ?? "";
    const operator = rest.slice(0, 2);
    const other = rest.slice(2);
    if (operator === ":-") result += value || interpolate(other, values);
    else if (operator === ":+") result += value && interpolate(other, values);
    else if (operator === ":?" && !value) throw new Error(`${name} is required: ${other}`);
    else if (!rest && values[name] === undefined) throw new Error(`${name} is not set`);
    else result += value;
    at = end + (isBraced ? 1 : 0);
  }
  return result;
}

/** Returns the place of the brace that ends the variable that begins at `begin`. */
function closing(text: string, begin: number): number {
  let depth = 1;
  for (let at = begin; at < text.length; at++) {
    if (text.startsWith("${", at)) depth++;
    if (text[at] === "}" && --depth === 0) return at;
  }
  throw new Error(`Not closed: ${text}`);
}
