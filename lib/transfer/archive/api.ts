import { permissionKeys } from "@/lib/core/access/permissions";
import { endpoint } from "@/lib/core/api/endpoint";
import { file } from "@/lib/core/api/response";

export const exportArchive = endpoint("GET /api/archive.zip", {
  about:
    "All data except drafts and secrets as a Data Package (datapackage.org): a CSV file for each table, and datapackage.json, which describes them. Text that a spreadsheet would run as a formula starts with an apostrophe.",
  permission: "export",
  additionalPermissions: permissionKeys.filter((permission) => permission !== "export"),
  proof: true,
  errors: ["conflict_busy"],
  queued: false,
  response: file("application/zip"),
  audit: { entity: "archive", action: "exported" },
});
