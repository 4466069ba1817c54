import { endpoint } from "@/lib/core/api/endpoint";
import { FILE_TYPES } from "@/lib/core/api/list-file";
import { idParams } from "@/lib/core/api/list-query";
import { file } from "@/lib/core/api/response";
import {
  IMPORT_MAX,
  importHeadings,
  importQuery,
  importResponse,
  importStart,
  importsResponse,
} from "@/lib/transfer/imports/schema";

const permission = "import";
const ALSO_NEEDS = "Also requires the permission for the imported records.";
const one = { permission, params: idParams, response: importResponse, errors: ["not_found"] } as const;

export const uploadImport = endpoint("POST /api/imports", {
  about: `${ALSO_NEEDS} The body is the file itself: CSV (UTF-8) or XLSX, at most 100 MB. The header File-Name has its name, percent-encoded. The file is stored encrypted until the import starts. Consecutive rows of forms with the same Id are one form.`,
  permission,
  query: importQuery,
  keys: ["fileName"],
  errors: ["too_many"],
  upload: Object.values(FILE_TYPES),
  maxBytes: IMPORT_MAX,
  response: importResponse,
  status: 201,
  queued: false,
});

export const listImports = endpoint("GET /api/imports", {
  about: "Returns the newest 100 imports of kinds the caller may import.",
  permission,
  response: importsResponse,
  audit: { entity: "import", action: "listed" },
});

export const getImport = endpoint("GET /api/imports/{id}", {
  ...one,
  about: "While the import is running, `notes` is empty. Clients named in notes are recorded as listed.",
  audit: { entity: "client", action: "listed" },
});

export const chooseHeadings = endpoint("PUT /api/imports/{id}/headings", {
  ...one,
  about:
    "Chooses the row of headings by its number in the file, one of `firstRows`; 0 for a file without headings, whose columns are then named Column 1, Column 2, and so on. Fields and values are suggested again, and the result of a check is removed.",
  body: importHeadings,
  errors: ["not_found", "conflict_busy", "too_many"],
  audit: { entity: "import", action: "updated" },
  queued: false,
});

export const startImport = endpoint("POST /api/imports/{id}/start", {
  ...one,
  about:
    "Starts the import, or a dry run, in the background. `matches` has the field of each column of the file, or an empty string. `mapping` has the decisions about values; without it, those that GET returns. With `headingRow`, the row of headings that the caller read, the response is 409 `conflict_version` if other headings were chosen since. The owner of a client or form comes from the email column, or else is `ownerId`, or else the caller.",
  body: importStart,
  errors: ["not_found", "conflict_version", "conflict_busy"],
  audit: { entity: "import", action: "updated" },
});

export const cancelImport = endpoint("POST /api/imports/{id}/cancel", {
  ...one,
  about: "Cancels the import and deletes the file. Records imported so far stay and can be undone.",
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "import", action: "updated" },
});

export const undoImport = endpoint("POST /api/imports/{id}/undo", {
  ...one,
  about:
    "Removes the imported records in the background, except those that were changed or used since or are on legal hold. `notes` lists the records that stay.",
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "import", action: "updated" },
});

export const failedImportRows = endpoint("GET /api/imports/{id}/failed.csv", {
  about:
    "Returns the refused rows with the reason for each. Available for 7 days to the user who uploaded the file.",
  permission,
  params: idParams,
  response: file("text/csv"),
  errors: ["not_found"],
  audit: { entity: "import", action: "exported" },
});
