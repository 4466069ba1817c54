import { readFile } from "node:fs/promises";

/** Returns the part of docker-compose.yml that defines the service. */
export async function composeService(name: string): Promise<string> {
  const services = (await readFile("docker-compose.yml", "utf8")).split(/^ {2}(?=\w+:$)/m);
  return services.find((service) => service.startsWith(`${name}:`)) ?? "";
}
