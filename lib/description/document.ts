import type * as z from "zod/mini";
import { type Endpoint, errorCodes, KEY_HEADERS, type KeyName } from "@/lib/core/api/endpoint";
import { fileTypes } from "@/lib/core/api/response";
import { ERROR_STATUS, type ErrorCode } from "@/lib/core/errors";
import { currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";
import { keysOf } from "@/lib/core/objects";
import { PRODUCT_KEY, PRODUCT_NAME } from "@/lib/core/product";
import { JsonText } from "@/lib/core/text/json-text";
import { exampleOf } from "@/lib/description/examples";
import { type Converter, converterFor, type JsonSchema } from "@/lib/description/schemas";
import { CODE_WORDS, GROUP_WORDS, operationId, summaryOf, wordsOf } from "@/lib/description/words";
import { type NamedEndpoint, namedEndpoints } from "@/lib/endpoints";

// The API as OpenAPI 3.1, built from the declarations of its endpoints. Tests check every response against it
// (tests/described.ts).

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
type ResponseObject = { $ref: string } | { description: string; content?: Content };
export type Operation = {
  operationId: string;
  tags: [NamedEndpoint["group"]];
  summary: string;
  description: string;
  security: Record<string, never[]>[];
  parameters?: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, ResponseObject>;
  "x-permission": readonly string[];
  "x-additional-permissions"?: Endpoint["additionalPermissions"];
  "x-recent-proof"?: true;
  "x-audit"?: Endpoint["audit"];
};
export type Description = {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string; "x-title": string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, { description: string; content: Content }>;
    securitySchemes: Record<string, object>;
  };
};

const ABOUT =
  `Every path begins with /api and uses JSON: camelCase keys, integer ids, days as YYYY-MM-DD, and timestamps in ISO 8601 UTC. Errors are \`{"error", "code"}\`, with \`fields\` on 422; programs should decide by \`code\`. Every response has
\`x-request-id\` and \`Cache-Control: no-store\`. A body is at most 1 MB, except for files. The query \`after\` of a list
is the id of the last row of the previous page. The list then starts after that row, even if earlier rows have changed.
If that is not possible, as in a search or if the row is no longer in the list, only \`page\` counts.`.replaceAll(
    "\n",
    " ",
  );

const SECURITY = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: `${PRODUCT_KEY}.session`,
    description: `A user's session, which POST /api/login opens. With HTTPS, its name begins with \`__Host-\`, and in practice mode with \`practice-\`.`,
  },
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A program's token, `lb_…`, which a holder of API Tokens creates under Profile. Of its permissions, only those that its owner currently holds apply.",
  },
};

const errorSchema: JsonSchema = {
  type: "object",
  description: "The reason why a call failed.",
  properties: {
    error: {
      description: "A message for users, or a list of messages. The text may change.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    },
    code: {
      type: "string",
      enum: Object.keys(ERROR_STATUS),
      description: "The error for programs. It never changes.",
    },
    fields: {
      type: "object",
      description: "On 422: the message for each invalid field, by its path.",
      additionalProperties: { type: "string" },
    },
    forms: {
      type: "array",
      description:
        "On 409 of a group session: the forms that prevent the change and that the caller may open.",
      items: { type: "integer" },
    },
  },
  required: ["error", "code"],
};

/**
 * Returns the response for errors of one status, with a description of each code. Calls with the same errors share it
 * as a component.
 */
function errorResponse(codes: readonly ErrorCode[]): { description: string; content: Content } {
  const [first = "failed"] = codes;
  return {
    description: codes.map((code) => `\`${code}\`: ${CODE_WORDS[code]}`).join(" "),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Error" },
            { type: "object", properties: { code: { type: "string", enum: [...codes] } } },
          ],
        },
        example: {
          error: CODE_WORDS[first],
          code: first,
          ...(first === "invalid" && { fields: { "record.field": "Field is required" } }),
        },
      },
    },
  };
}

function contentOf(
  { convert, components }: Converter,
  schema: z.core.$ZodType,
  io: "input" | "output",
): Content {
  const file = fileTypes.get(schema);
  if (file) return { [file.type]: { schema: { type: "string" } } };
  const converted = convert(schema, io);
  return { "application/json": { schema: converted, example: exampleOf(converted, components) } };
}

function bodyOf(converter: Converter, body: z.core.$ZodType, { form }: Endpoint): Content {
  if (!form) return contentOf(converter, body, "input");
  return { "application/x-www-form-urlencoded": { schema: converter.convert(body, "input") } };
}

const FILE: JsonSchema = { type: "string", format: "binary" };

/** Returns the parameters in a path or query. Filters are written `filters[userId]`. */
function parametersIn(
  place: "path" | "query",
  { allOf, properties = {}, required = [] }: JsonSchema,
): Parameter[] {
  if (allOf) return allOf.flatMap((part) => parametersIn(place, part));
  return Object.entries(properties).flatMap(([name, inner]) =>
    place === "query" && name === "filters"
      ? Object.entries(inner.properties ?? {}).map(([filter, value]) => ({
          name: `filters[${filter}]`,
          in: place,
          required: false,
          schema: value,
        }))
      : [{ name, in: place, required: place === "path" || required.includes(name), schema: inner }],
  );
}

const KEY_WORDS: Record<KeyName, string> = {
  idempotencyKey: "A repeated key creates no second record. It expires after 24 hours.",
  draftKey: "The key of the draft that this save completes and deletes.",
  fileName: "The name of the file, percent-encoded.",
};

function parametersOf({ params, query, keys = [] }: Endpoint, { convert }: Converter): Parameter[] {
  return [
    ...(params ? parametersIn("path", convert(params, "input")) : []),
    ...(query ? parametersIn("query", convert(query, "input")) : []),
    ...keys.map(
      (key): Parameter => ({
        name: KEY_HEADERS[key],
        in: "header",
        required: false,
        description: KEY_WORDS[key],
        schema: { type: "string" },
      }),
    ),
  ];
}

const securityOf = ({ permission, tokens }: Endpoint): Operation["security"] => {
  if (permission === "guest") return [];
  return tokens === false ? [{ session: [] }] : [{ session: [] }, { token: [] }];
};

function failuresOf(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const declared = errorCodes(endpoint);
  const failures = new Map<number, ErrorCode[]>();
  for (const code of keysOf(ERROR_STATUS).filter((code) => declared.has(code)))
    failures.set(ERROR_STATUS[code], [...(failures.get(ERROR_STATUS[code]) ?? []), code]);
  return failures;
}

function build(): Description {
  const ordered = [...namedEndpoints].sort(byPlace);
  const converter = converterFor(ordered.map(({ endpoint }) => endpoint));
  const responses: Description["components"]["responses"] = {};

  function operation(named: NamedEndpoint): Operation {
    const { endpoint, group } = named;
    const { permission, additionalPermissions, proof, audit, body, upload, response, status } = endpoint;
    const id = operationId(named);
    const parameters = parametersOf(endpoint, converter);
    const success = response
      ? { description: "Success.", content: contentOf(converter, response, "output") }
      : { description: "Done." };
    const failures = [...failuresOf(endpoint)].map(([status, codes]): [number, ResponseObject] => {
      const name = [status, ...codes].join(".");
      responses[name] ??= errorResponse(codes);
      return [status, { $ref: `#/components/responses/${name}` }];
    });
    return {
      operationId: id,
      tags: [group],
      summary: summaryOf(id),
      description: wordsOf(endpoint).join(" "),
      security: securityOf(endpoint),
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: { required: true, content: bodyOf(converter, body, endpoint) } }),
      ...(upload && {
        requestBody: {
          required: true,
          content: Object.fromEntries(upload.map((type) => [type, { schema: FILE }])),
        },
      }),
      responses: { [status ?? (response ? 200 : 204)]: success, ...Object.fromEntries(failures) },
      "x-permission": [permission].flat(),
      ...(additionalPermissions && { "x-additional-permissions": additionalPermissions }),
      ...(proof && { "x-recent-proof": true }),
      ...(audit && { "x-audit": audit }),
    };
  }

  const paths: Description["paths"] = {};
  for (const entry of ordered) {
    const { path, method } = entry.endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(entry) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: PRODUCT_NAME,
      version: "1",
      description: ABOUT,
      license: { name: "The organization's own", identifier: "LicenseRef-Organization" },
    },
    servers: [{ url: "/" }],
    tags: keysOf(GROUP_WORDS).map((group) => {
      const [title, description] = GROUP_WORDS[group];
      return { name: group, description, "x-title": title };
    }),
    paths,
    components: {
      schemas: { Error: errorSchema, ...sorted(converter.components) },
      responses: sorted(responses),
      securitySchemes: SECURITY,
    },
  };
}

const GROUPS = keysOf(GROUP_WORDS);
const METHODS = ["GET", "POST", "PUT", "DELETE"];
/** Sorts by group, path and method, so that a bundler's order of module exports does not show. */
const byPlace = (a: NamedEndpoint, b: NamedEndpoint): number =>
  GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
  (a.endpoint.path < b.endpoint.path ? -1 : a.endpoint.path > b.endpoint.path ? 1 : 0) ||
  METHODS.indexOf(a.endpoint.method) - METHODS.indexOf(b.endpoint.method);
const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

type Built = { definitions: Definitions; description: Description; sent: SentDescription };
/** The description with its large parts as JSON. */
type SentDescription = Omit<Description, "paths" | "components"> &
  Record<"paths" | "components", JsonText<object>>;

let cached: Built | undefined;

function current(): Built {
  const definitions = currentDefinitions();
  if (cached?.definitions !== definitions) {
    const description = build();
    const { paths, components } = description;
    const asJson = (part: object) => new JsonText<object>(JSON.stringify(part));
    const sent = { ...description, paths: asJson(paths), components: asJson(components) };
    cached = { definitions, description, sent };
  }
  return cached;
}

/** Returns the description of the whole API, built at its first use with the current field definitions. */
export const description = (): Description => current().description;

/** Returns the same for a response. */
export const sentDescription = (): SentDescription => current().sent;
