import { readFile } from "node:fs/promises";

/** What docker-compose.yml says of one of its services. */
export async function composeService(name: string): Promise<string> {
  const services = (await readFile("docker-compose.yml", "utf8")).split(/^ {2}(?=\w+:$)/m);
  return services.find((service) => service.startsWith(`${name}:`)) ?? "";
}
