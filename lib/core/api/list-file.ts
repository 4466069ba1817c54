import * as z from "zod/mini";
import type { Permission } from "@/lib/core/access/permissions";
import { file } from "@/lib/core/api/response";

// The files of a list, declared once for each format.

/** The file formats of a list, with their content types. */
export const FILE_TYPES = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;
export type FileFormat = keyof typeof FILE_TYPES;

/** Excel opens 1,048,576 lines of a sheet, including the header. */
export const XLSX = { mostLines: 1_048_575 };

/**
 * Returns the list's own query with the choice of columns: those of its screen, or with `columns=all` all of them.
 */
export const fileQuery = <Query extends z.core.$ZodType>(query: Query) =>
  z.intersection(
    z.object({
      columns: z._default(z.enum(["listed", "all"], { error: "must be listed or all" }), "listed"),
    }),
    query,
  );

/** The query of a list's file: the list's own `Query`, and the file's format. */
export type InFile<Query> = Query & { format: FileFormat };
/** The same with the choice of columns that `fileQuery` adds. */
export type InColumns<Query> = InFile<Query> & { columns: "listed" | "all" };

/**
 * Declares the endpoint that returns the list at `path` as a file. It needs Export and the list's own permission.
 */
export const listFile = <
  const Path extends `/api/${string}`,
  const Format extends FileFormat,
  Query extends z.core.$ZodType<object>,
>(
  path: Path,
  format: Format,
  {
    permission,
    entity,
    query,
  }: {
    permission: Permission | readonly Permission[];
    entity: string | readonly string[];
    query: Query;
  },
) =>
  ({
    method: "GET",
    path: `${path}.${format}`,
    about: `Returns all rows that match the filters, in the list's order; \`page\`, \`perPage\`, and \`after\` are ignored.${
      format === "xlsx"
        ? " The response is 422 for a list with more rows than Excel can open (1,048,576)."
        : ""
    }`,
    permission: "export",
    additionalPermissions: permission,
    query: z.pipe(
      query,
      z.transform((given: z.output<Query>) => ({ ...given, format })),
    ),
    response: file(FILE_TYPES[format]),
    audit: { entity, action: "exported" },
  }) as const;
