import { file } from "@/lib/api/answer";
import { endpoint } from "@/lib/api/endpoint";
import { permissionKeys } from "@/lib/auth/permissions";

export const exportArchive = endpoint("GET /api/archive.zip", {
  about:
    "All data but drafts and secrets as a Data Package (datapackage.org): a CSV file for each table, as it is stored and not made safe for spreadsheets, and datapackage.json, which describes them.",
  permission: "export",
  also: permissionKeys.filter((permission) => permission !== "export"),
  proof: true,
  errors: ["conflict_busy"],
  queued: false,
  answer: file("application/zip"),
  audit: { entity: "archive", action: "exported" },
});
