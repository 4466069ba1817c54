import { type Html, html } from "@/lib/core/text/html";
import { type Description, description, type Operation, type Parameter } from "@/lib/description/document";
import type { JsonSchema } from "@/lib/description/schemas";

// The description of the API for people, as HTML. It has 20,000 elements, so it is written once for each version of the
// field definitions. React would need half a second of processor time for each reader.

let cached: { of: Description; text: string } | undefined;

/** Returns the readable form of the API's description with the current field definitions. */
export function descriptionHtml(): string {
  const current = description();
  if (cached?.of !== current) cached = { of: current, text: documentHtml(current).text };
  return cached.text;
}

/** Groups of calls, then their records and errors. */
function documentHtml(current: Description): Html {
  const { info, tags, paths, components } = current;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const links = [
    ...tags.map((tag) => [tag.name, tag["x-title"]]),
    ["records", "Records"],
    ["errors", "Errors"],
  ];
  const records = Object.entries(components.schemas).map(
    ([name, schema]) => html`<article id="record-${name}" class="scroll-mt-20">
<h3 class="font-semibold">${name}</h3>${fields(schema)}</article>`,
  );
  const errors = Object.entries(meaningsOf(current)).map(
    ([code, words]) => html`<div class="contents">
<dt class="mt-2 font-mono text-sm sm:mt-0">${code}</dt><dd>${words}</dd></div>`,
  );
  return html`<p class="max-w-3xl">${withoutTicks(info.description)}</p>
<nav aria-label="Contents" class="card p-4 print-hidden"><ul class="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-4">
${links.map(([id, title]) => html`<li><a class="link inline-block py-1" href="#${id}">${title}</a></li>`)}</ul></nav>
${tags.map((tag) =>
  chapter(
    tag.name,
    tag["x-title"],
    tag.description,
    calls.filter(({ operation }) => operation.tags[0] === tag.name).map(callHtml),
  ),
)}
${chapter("records", "Records", "Objects that several requests and responses share.", records)}
${chapter(
  "errors",
  "Errors",
  "Programs check the code. The message is for people.",
  html`<dl class="grid gap-x-6 gap-y-1 sm:grid-cols-[max-content_1fr]">${errors}</dl>`,
)}`;
}

const withoutTicks = (text: string) => text.replaceAll("`", "");

/** Returns the status and meaning of each error code, from the responses that calls share. */
function meaningsOf({ components }: Description): Record<string, string> {
  const meanings: [string, string][] = Object.entries(components.responses).flatMap(([name, response]) => {
    const [status, ...codes] = name.split(".");
    const words = response.description.split(/`\w+`: /).slice(1);
    return codes.map((code, at): [string, string] => [`${status} ${code}`, words[at]?.trim() ?? ""]);
  });
  return Object.fromEntries(meanings.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const chapter = (id: string, title: string, about: string, content: Html | Html[]): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title" class="card scroll-mt-20 p-4 sm:p-5">
<h2 id="${id}-title" class="font-semibold text-lg">${title}</h2>
<p class="mb-4 text-muted">${about}</p><div class="stack">${content}</div></section>`;

function callHtml({ path, method, operation }: { path: string; method: string; operation: Operation }): Html {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const failures = Object.values(responses).flatMap((response) =>
    "$ref" in response ? [response.$ref] : [],
  );
  const successes = Object.entries(responses).flatMap(([status, response]) =>
    "$ref" in response ? [] : [{ status, content: Object.entries(response.content ?? {}) }],
  );
  const codes = failures.map((ref) => ref.split("/").at(-1)?.replace(".", " ").replaceAll(".", ", "));
  return html`<article id="${operationId}" class="scroll-mt-20 border-line border-t pt-4 break-inside-avoid">
<h3 class="font-semibold">${summary}</h3>
<p class="font-mono text-sm wrap-anywhere"><strong>${method}</strong> ${path}</p>
<p class="mt-1 wrap-anywhere">${withoutTicks(operation.description)}</p>
${parameters.length > 0 && part("Parameters", html`<ul>${parameters.map(parameterHtml)}</ul>`)}
${body && part("Body", fields(body.schema))}
${successes.map(({ status, content }) =>
  part(
    `Response ${status}`,
    content.length > 0
      ? content.map(([type, { schema }]) =>
          type === "application/json" ? fields(schema) : html`<p>A file, ${type}.</p>`,
        )
      : html`<p>No body.</p>`,
  ),
)}
${part("Errors", html`<p class="font-mono text-sm wrap-anywhere">${codes.join(" · ")}</p>`)}</article>`;
}

const part = (title: string, content: Html | Html[]): Html =>
  html`<div class="mt-2"><h4 class="font-medium text-muted text-sm">${title}</h4>${content}</div>`;

const parameterHtml = ({ name, in: place, required, description, schema }: Parameter): Html =>
  html`<li class="wrap-anywhere"><code>${name}</code>
<span class="text-muted text-sm">${place}, ${typeHtml(schema)}${required && ", required"}</span>
${description && html`<span class="text-sm"> — ${description}</span>`}</li>`;

const nameIn = ({ $ref = "" }: JsonSchema) => $ref.split("/").at(-1) ?? "";

/** Returns the object schema in a schema: itself, the items of a list, or the part next to null. */
function objectOf(schema: JsonSchema): JsonSchema | null {
  if (schema.properties) return schema;
  if (schema.items) return objectOf(schema.items);
  const [inner] = (schema.anyOf ?? []).flatMap((one) => objectOf(one) ?? []);
  return inner ?? null;
}

const orWords = (parts: readonly Html[]): Html =>
  html`${parts.map((one, at) => (at === 0 ? one : html` or ${one}`))}`;

/** Returns a type in words, with a link to its record if it has one. */
function typeHtml(schema: JsonSchema): Html {
  if (schema.$ref) return html`<a class="link" href="#record-${nameIn(schema)}">${nameIn(schema)}</a>`;
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(" or ")}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.anyOf) return orWords(schema.anyOf.map(typeHtml));
  if (schema.items) return html`list of ${typeHtml(schema.items)}`;
  return html`${schema.format ?? ([schema.type].flat().filter(Boolean).join(" or ") || "anything")}`;
}

/** Returns the fields of an object with their types and labels, including nested objects. */
function fields(schema: JsonSchema): Html {
  const object = objectOf(schema);
  if (!object) return html`<p class="text-sm">${typeHtml(schema)}</p>`;
  const { properties = {}, required = [] } = object;
  const items = Object.entries(properties).map(
    ([name, field]) => html`<li class="wrap-anywhere"><code>${name}</code>
<span class="text-muted text-sm">${typeHtml(field)}${required.includes(name) && ", required"}</span>
${field.title && html`<span class="text-sm"> — ${field.title}</span>`}
${field.description && html`<span class="text-muted text-sm">${field.description}</span>`}
${objectOf(field) && fields(field)}</li>`,
  );
  return html`<ul class="border-line border-l pl-3">${items}</ul>`;
}
