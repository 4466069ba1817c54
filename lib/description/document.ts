import type { z } from "zod";
import { fileTypes } from "@/lib/core/api/answer";
import { ERROR_STATUS, type ErrorCode } from "@/lib/core/api/codes";
import { type Endpoint, errorCodes, KEY_HEADERS } from "@/lib/core/api/endpoint";
import { keysOf } from "@/lib/core/fields/by-key";
import { PRODUCT_KEY, PRODUCT_NAME } from "@/lib/core/product";
import { exampleOf } from "@/lib/description/examples";
import { type Converter, converterFor, type JsonSchema } from "@/lib/description/schemas";
import { CODE_WORDS, operationId, ROOM_WORDS, summaryOf, wordsOf } from "@/lib/description/words";
import { type NamedEndpoint, namedEndpoints } from "@/lib/endpoints";

// The API as OpenAPI 3.1, made from the declarations of its endpoints. Every answer in the tests is checked against it
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
  tags: [NamedEndpoint["room"]];
  summary: string;
  description: string;
  security: Record<string, never[]>[];
  parameters?: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, ResponseObject>;
  "x-permission": readonly string[];
  "x-permission-besides"?: Endpoint["also"];
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
  `Every path begins with /api and speaks JSON: camelCase keys, whole numbers as ids, days as YYYY-MM-DD, moments in
ISO 8601 UTC. Errors are \`{"error", "code"}\`, on 422 with \`fields\`, and programs decide by \`code\`. Every answer carries
\`x-request-id\` and \`Cache-Control: no-store\`. A body is at most 1 MB, but for files. A page of a list that is asked for
with \`after\` too, the id of the last row of the page before, begins after that row where it can, whatever has changed
before it; otherwise, as in a search or once the row has left the list, \`page\` alone decides.`.replaceAll(
    "\n",
    " ",
  );

const SECURITY = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: `${PRODUCT_KEY}.session`,
    description: `A person's session, which POST /api/login opens; named \`__Host-${PRODUCT_KEY}.session\` where the program is reached by https.`,
  },
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A program's token, `lb_…`, which a holder of API Tokens makes under Profile. It has of its permissions those that its owner holds at that moment.",
  },
};

const errorSchema: JsonSchema = {
  type: "object",
  description: "Why a call failed.",
  properties: {
    error: {
      description: "For people, one message or one for each line; it may change.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    },
    code: { type: "string", enum: Object.keys(ERROR_STATUS), description: "For programs; it never changes." },
    fields: {
      type: "object",
      description: "On 422: the path of each field that is not valid, with its message.",
      additionalProperties: { type: "string" },
    },
  },
  required: ["error", "code"],
};

/** Errors of one status and how they are told apart, as a component that calls with the same errors share. */
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

function contentOf({ convert, components }: Converter, schema: z.ZodType, io: "input" | "output"): Content {
  const file = fileTypes.get(schema);
  if (file) return { [file.type]: { schema: { type: "string" } } };
  const converted = convert(schema, io);
  return { "application/json": { schema: converted, example: exampleOf(converted, components) } };
}

function bodyOf(converter: Converter, body: z.ZodType, { form }: Endpoint): Content {
  if (!form) return contentOf(converter, body, "input");
  return { "application/x-www-form-urlencoded": { schema: converter.convert(body, "input") } };
}

/** A body that is a file. */
const FILE: JsonSchema = { type: "string", format: "binary" };

/** The parameters in a path or query; filters are written `filters[userId]`. */
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

function parametersOf({ params, query, keys = [] }: Endpoint, { convert }: Converter): Parameter[] {
  return [
    ...(params ? parametersIn("path", convert(params, "input")) : []),
    ...(query ? parametersIn("query", convert(query, "input")) : []),
    ...keys.map(
      (key): Parameter => ({
        name: KEY_HEADERS[key],
        in: "header",
        required: false,
        description:
          key === "idempotencyKey"
            ? "The same key again creates no second record; it lives for 24 hours."
            : "The draft that this save is of, which then ends.",
        schema: { type: "string" },
      }),
    ),
  ];
}

const securityOf = ({ permission, tokens }: Endpoint): Operation["security"] => {
  if (permission === "guest") return [];
  return tokens === false ? [{ session: [] }] : [{ session: [] }, { token: [] }];
};

/** The codes of each status that the call can fail with. */
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
    const { endpoint, room } = named;
    const { permission, also, proof, audit, body, upload, answer, status } = endpoint;
    const id = operationId(named);
    const parameters = parametersOf(endpoint, converter);
    const success = answer
      ? { description: "What was asked for.", content: contentOf(converter, answer, "output") }
      : { description: "Done." };
    const failures = [...failuresOf(endpoint)].map(([status, codes]): [number, ResponseObject] => {
      const name = [status, ...codes].join(".");
      responses[name] ??= errorResponse(codes);
      return [status, { $ref: `#/components/responses/${name}` }];
    });
    return {
      operationId: id,
      tags: [room],
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
      responses: { [status ?? (answer ? 200 : 204)]: success, ...Object.fromEntries(failures) },
      "x-permission": [permission].flat(),
      ...(also && { "x-permission-besides": also }),
      ...(proof && { "x-recent-proof": true }),
      ...(audit && { "x-audit": audit }),
    };
  }

  const paths: Description["paths"] = {};
  for (const named of ordered) {
    const { path, method } = named.endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(named) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: PRODUCT_NAME,
      version: "1",
      description: ABOUT,
      license: { name: "The organization's own", identifier: "LicenseRef-Organisation" },
    },
    servers: [{ url: "/" }],
    tags: keysOf(ROOM_WORDS).map((room) => {
      const [title, description] = ROOM_WORDS[room];
      return { name: room, description, "x-title": title };
    }),
    paths,
    components: {
      schemas: { Error: errorSchema, ...sorted(converter.components) },
      responses: sorted(responses),
      securitySchemes: SECURITY,
    },
  };
}

const ROOMS = keysOf(ROOM_WORDS);
const METHODS = ["GET", "POST", "PUT", "DELETE"];
/** By room, path and method: how a bundler orders a module's names must not show. */
const byPlace = (a: NamedEndpoint, b: NamedEndpoint): number =>
  ROOMS.indexOf(a.room) - ROOMS.indexOf(b.room) ||
  (a.endpoint.path < b.endpoint.path ? -1 : a.endpoint.path > b.endpoint.path ? 1 : 0) ||
  METHODS.indexOf(a.endpoint.method) - METHODS.indexOf(b.endpoint.method);
const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

let built: Description | undefined;
/** The description of the whole API; built at its first use. */
export function description(): Description {
  built ??= build();
  return built;
}
