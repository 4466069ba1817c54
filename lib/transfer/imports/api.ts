import { file } from "@/lib/core/api/answer";
import { endpoint } from "@/lib/core/api/endpoint";
import { FILE_TYPES } from "@/lib/core/api/list-file";
import { idParams } from "@/lib/core/api/list-query";
import {
  IMPORT_MAX,
  importAnswer,
  importQuery,
  importStart,
  importsAnswer,
} from "@/lib/transfer/imports/schema";

const permission = "import";
const BESIDES = "Needs the permission of what is imported too.";
const one = { permission, params: idParams, answer: importAnswer, errors: ["not_found"] } as const;

export const uploadImport = endpoint("POST /api/imports", {
  about: `${BESIDES} The body is the file itself, CSV (UTF-8) or XLSX, of at most 100 MB, and waits encrypted. Rows of forms that stand together with the same Id are one form.`,
  permission,
  query: importQuery,
  upload: Object.values(FILE_TYPES),
  maxBytes: IMPORT_MAX,
  answer: importAnswer,
  status: 201,
  queued: false,
});

export const listImports = endpoint("GET /api/imports", {
  about: "The newest 100 of what the caller may import.",
  permission,
  answer: importsAnswer,
  audit: { entity: "import", action: "listed" },
});

export const getImport = endpoint("GET /api/imports/{id}", {
  ...one,
  about: "While it is worked on it has no `notes`. Clients whom these name are recorded as listed.",
  audit: { entity: "client", action: "listed" },
});

export const startImport = endpoint("POST /api/imports/{id}/start", {
  ...one,
  about:
    "Begins the import, or a dry run, in the background. `matches` names for each column of the file its field, or nothing. The owner of a client or form is found by the column of emails, else it is `ownerId`, else the caller.",
  body: importStart,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "import", action: "updated" },
});

export const cancelImport = endpoint("POST /api/imports/{id}/cancel", {
  ...one,
  about: "Ends it and deletes the file; what was imported until then stays, and can be undone.",
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "import", action: "updated" },
});

export const undoImport = endpoint("POST /api/imports/{id}/undo", {
  ...one,
  about:
    "Removes in the background what was imported, but for records that were changed or used since, or are under a legal hold: these are named in `notes`.",
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "import", action: "updated" },
});

export const failedImportRows = endpoint("GET /api/imports/{id}/failed.csv", {
  about:
    "The rows that were refused, with a column that says why; kept for 30 days, for the person who sent the file in, with Export besides.",
  permission,
  params: idParams,
  answer: file("text/csv"),
  errors: ["not_found"],
  audit: { entity: "import", action: "exported" },
});
