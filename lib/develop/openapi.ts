import { writeFile } from "node:fs/promises";
import { description } from "@/lib/description/document";

// `npm run openapi` writes the API's description into the repository, where people and generators find it.

await writeFile("docs/openapi.json", `${JSON.stringify(description(), null, 2)}\n`);
