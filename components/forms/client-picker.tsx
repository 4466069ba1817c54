"use client";

import { useId, useRef, useState } from "react";
import { useFormContext } from "react-hook-form";
import { ErrorAlert } from "@/components/ui/alert";
import { Field, useField } from "@/components/ui/field";
import { useListbox } from "@/components/ui/use-listbox";
import type { ClientHit } from "@/lib/clients/api-schema";
import { distinguishHit, formsOfHit } from "@/lib/clients/hits";
import { call, messagesOf } from "@/lib/core/api/client";
import { counted } from "@/lib/core/text/format";

/** The pause between letters after which the search starts. A typing user pauses for less. */
const DEBOUNCE_MS = 150;

export const findClients = async (search: string): Promise<ClientHit[]> =>
  (await call("POST /api/clients/search", { body: { search } })).clients;

/** Finds clients by part of their name. */
export function ClientPicker({
  name,
  label = "Client",
  required = true,
  chosen,
  forms = 0,
  search = findClients,
  onChoose,
  onCreate,
}: {
  /** The path of the form field that shows the error of the choice. */
  name: string;
  label?: string;
  required?: boolean;
  chosen: string;
  /** The number of the chosen client's forms, shown in the field. */
  forms?: number;
  search?: (text: string) => Promise<ClientHit[]>;
  onChoose: (client: ClientHit) => void;
  /** Offers the typed name as a new client, after the clients that were found. */
  onCreate?: (name: string) => void;
}) {
  const form = useFormContext();
  const state = useField({ name, required });
  const [text, setText] = useState<string | null>(null);
  /** The searched text and its results; null while there are none, or if the search failed. */
  const [results, setResults] = useState<{ text: string; clients: ClientHit[] | null } | null>(null);
  /** The error text of the last search, if it failed. */
  const [errors, setErrors] = useState<string[]>([]);
  const turn = useRef(0);
  const formsId = useId();
  const formsText = text === null && chosen ? formsOfHit({ forms }) : "";
  const open = text !== null && results !== null;
  const options = results?.clients ?? [];
  const newName = onCreate && results?.clients ? (text ?? "").trim() : "";
  const listbox = useListbox({
    label: "Clients",
    count: options.length + (newName ? 1 : 0),
    isOpen: open,
    // While a search is running, Enter must neither save the form nor choose from the results of an earlier text.
    onEnter: text === null ? "pass" : results?.text === text ? "choose" : "wait",
    onChoose: choose,
    onOpen: () => void look(""),
    onClose: close,
  });

  async function look(next: string) {
    setText(next);
    listbox.restart();
    turn.current += 1;
    const mine = turn.current;
    await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS));
    if (mine !== turn.current) return;
    let failure: string[] = [];
    const clients = await search(next).catch((error) => {
      failure = messagesOf(error);
      return null;
    });
    if (mine !== turn.current) return;
    setResults({ text: next, clients });
    setErrors(failure);
  }

  function close() {
    turn.current += 1;
    setText(null);
    setResults(null);
  }

  function choose(index: number) {
    const client = options[index];
    close();
    if (client) onChoose(client);
    else if (newName) onCreate?.(newName);
  }

  return (
    <Field state={state} label={label} required={required} className="relative">
      <div className="relative">
        <input
          {...state.control}
          {...listbox.input}
          aria-describedby={
            [state.control["aria-describedby"], formsText && formsId].filter(Boolean).join(" ") || undefined
          }
          type="text"
          placeholder="Type a name"
          className={`control ${formsText ? "pr-24" : ""}`}
          value={text ?? chosen}
          onChange={(event) => void look(event.target.value)}
          onClick={() => open || void look("")}
          onBlur={() => {
            close();
            void form.trigger(name);
          }}
        />
        {formsText && (
          <span
            id={formsId}
            className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-muted text-sm"
          >
            {formsText}
          </span>
        )}
      </div>
      <div
        {...listbox.list}
        className="absolute inset-x-0 z-20 mt-1 max-h-72 overflow-y-auto rounded-lg border border-control-line bg-surface py-1 shadow-lg"
      >
        {options.map((client, index) => (
          <div
            {...listbox.optionAt(index)}
            key={client.id}
            className="flex min-h-control cursor-pointer flex-wrap content-center items-center justify-between gap-x-4 px-3 py-1 aria-selected:bg-accent-soft"
          >
            <span>
              {client.name}
              {client.forms > 0 && <span className="text-muted">&nbsp;{`· ${formsOfHit(client)}`}</span>}
            </span>{" "}
            <span className="text-muted text-sm">
              {[distinguishHit(client, options), client.advocate].filter(Boolean).join(" · ")}
            </span>
          </div>
        ))}
        {newName && (
          <div
            {...listbox.optionAt(options.length)}
            className="flex min-h-control cursor-pointer items-center px-3 aria-selected:bg-accent-soft"
          >
            {`New client: ${newName}`}
          </div>
        )}
      </div>
      {/* Above the words that go when the input loses the focus: a press on it must not miss it. */}
      <ErrorAlert messages={errors} onDismiss={() => setErrors([])} />
      <p role="status" className={options.length > 0 ? "sr-only" : "mt-1 text-muted text-sm empty:mt-0"}>
        {open &&
          (results.clients
            ? options.length > 0
              ? counted(options.length, "matching client")
              : "No matching clients."
            : "Search failed. Keep typing to retry.")}
      </p>
    </Field>
  );
}
