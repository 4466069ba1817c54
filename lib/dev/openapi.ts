import { writeFile } from "node:fs/promises";
import { description } from "@/lib/description/document";

// `npm run openapi` writes the API's description into openapi.json, for generators. GET /api/openapi.json returns the
// same.

await writeFile("openapi.json", `${JSON.stringify(description(), null, 2)}\n`);
