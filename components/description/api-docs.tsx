import type { ReactNode } from "react";
import type { Description, Operation, Parameter } from "@/lib/description/document";
import { Fields, TypeOf } from "./fields";

/** Shows the API description for people: groups of calls, then their records and errors. */
export function ApiDocs({ description }: { description: Description }) {
  const { info, tags, paths, components } = description;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return (
    <div className="stack">
      <p className="max-w-3xl">{info.description.replaceAll("`", "")}</p>
      <nav aria-label="Contents" className="card p-4 print-hidden">
        <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-4">
          {tags.map((tag) => (
            <li key={tag.name}>
              <a className="link inline-block py-1" href={`#${tag.name}`}>
                {tag["x-title"]}
              </a>
            </li>
          ))}
          <li>
            <a className="link inline-block py-1" href="#records">
              Records
            </a>
          </li>
          <li>
            <a className="link inline-block py-1" href="#errors">
              Errors
            </a>
          </li>
        </ul>
      </nav>
      {tags.map((tag) => (
        <Chapter key={tag.name} id={tag.name} title={tag["x-title"]} about={tag.description}>
          {calls
            .filter(({ operation }) => operation.tags[0] === tag.name)
            .map((call) => (
              <Call key={call.operation.operationId} {...call} />
            ))}
        </Chapter>
      ))}
      <Chapter id="records" title="Records" about="Objects that several requests and responses share.">
        {Object.entries(components.schemas).map(([name, schema]) => (
          <article key={name} id={`record-${name}`} className="scroll-mt-20">
            <h3 className="font-semibold">{name}</h3>
            <Fields schema={schema} />
          </article>
        ))}
      </Chapter>
      <Chapter id="errors" title="Errors" about="Programs check the code. The message is for people.">
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[max-content_1fr]">
          {Object.entries(meaningsOf(description)).map(([code, words]) => (
            <div key={code} className="contents">
              <dt className="mt-2 font-mono text-sm sm:mt-0">{code}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </Chapter>
    </div>
  );
}

/** Returns the status and meaning of each error code, from the responses that calls share. */
function meaningsOf({ components }: Description): Record<string, string> {
  const meanings: [string, string][] = Object.entries(components.responses).flatMap(([name, response]) => {
    const [status, ...codes] = name.split(".");
    const meanings = response.description.split(/`\w+`: /).slice(1);
    return codes.map((code, at): [string, string] => [`${status} ${code}`, meanings[at]?.trim() ?? ""]);
  });
  return Object.fromEntries(meanings.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function Chapter({
  id,
  title,
  about,
  children,
}: {
  id: string;
  title: string;
  about: string;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="card scroll-mt-20 p-4 sm:p-5">
      <h2 id={`${id}-title`} className="font-semibold text-lg">
        {title}
      </h2>
      <p className="mb-4 text-muted">{about}</p>
      <div className="stack">{children}</div>
    </section>
  );
}

function Call({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const failures = Object.values(responses).flatMap((response) =>
    "$ref" in response ? [response.$ref] : [],
  );
  return (
    <article id={operationId} className="scroll-mt-20 border-line border-t pt-4 break-inside-avoid">
      <h3 className="font-semibold">{summary}</h3>
      <p className="font-mono text-sm wrap-anywhere">
        <strong>{method}</strong> {path}
      </p>
      <p className="mt-1 wrap-anywhere">{operation.description.replaceAll("`", "")}</p>
      {parameters.length > 0 && (
        <Part title="Parameters">
          <ul>
            {parameters.map((parameter) => (
              <ParameterLine key={`${parameter.in} ${parameter.name}`} {...parameter} />
            ))}
          </ul>
        </Part>
      )}
      {body && (
        <Part title="Body">
          <Fields schema={body.schema} />
        </Part>
      )}
      {Object.entries(responses).map(([status, response]) =>
        "$ref" in response ? null : (
          <Part key={status} title={`Response ${status}`}>
            {Object.entries(response.content ?? {}).map(([type, { schema }]) =>
              type === "application/json" ? (
                <Fields key={type} schema={schema} />
              ) : (
                <p key={type}>A file, {type}.</p>
              ),
            )}
            {!response.content && <p>No body.</p>}
          </Part>
        ),
      )}
      <Part title="Errors">
        <p className="font-mono text-sm wrap-anywhere">
          {failures.map((ref) => ref.split("/").at(-1)?.replace(".", " ").replaceAll(".", ", ")).join(" · ")}
        </p>
      </Part>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-2">
      <h4 className="font-medium text-muted text-sm">{title}</h4>
      {children}
    </div>
  );
}

function ParameterLine({ name, in: place, required, description, schema }: Parameter) {
  return (
    <li className="wrap-anywhere">
      <code>{name}</code>{" "}
      <span className="text-muted text-sm">
        {place}, <TypeOf schema={schema} />
        {required && ", required"}
      </span>
      {description && <span className="text-sm"> — {description}</span>}
    </li>
  );
}
