import { z } from "zod";
import type { Permission } from "@/lib/core/access/permissions";
import { file } from "@/lib/core/api/answer";

// The files of a list, declared once for each of their formats.

/** The formats of a list as a file, with their content types. */
export const FILE_TYPES = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;
export type FileFormat = keyof typeof FILE_TYPES;

/** Excel opens 1,048,576 lines of a sheet, the header among them. */
export const XLSX = { mostLines: 1_048_575 };

/** The list's own query, and which columns: those that its screen shows, or with `columns=all` all there are. */
export const fileQuery = <Query extends z.ZodType>(query: Query) =>
  z
    .object({ columns: z.enum(["listed", "all"], { error: "must be listed or all" }).default("listed") })
    .and(query);

/** The query of a file of a list whose own query is `Query`, and the file's format. */
export type InFile<Query> = Query & { format: FileFormat };
/** The same where `fileQuery` was used. */
export type InColumns<Query> = InFile<Query> & { columns: "listed" | "all" };

/** The endpoint that answers the list at `path` as a file; it needs Export and the list's own permission. */
export const listFile = <
  const Path extends `/api/${string}`,
  const Format extends FileFormat,
  Query extends z.ZodType<object>,
>(
  path: Path,
  format: Format,
  { permission, entity, query }: { permission: Permission; entity: string | readonly string[]; query: Query },
) =>
  ({
    method: "GET",
    path: `${path}.${format}`,
    about: `All pages of the list under its filters, in its order: \`page\`, \`perPage\` and \`after\` are ignored.${
      format === "xlsx" ? " A list of more lines than Excel opens (1,048,576) is answered 422." : ""
    }`,
    permission: "export",
    also: permission,
    query: query.transform((given) => ({ ...given, format })),
    answer: file(FILE_TYPES[format]),
    audit: { entity, action: "exported" },
  }) as const;
