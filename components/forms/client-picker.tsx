"use client";

import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useFormContext } from "react-hook-form";
import { Field, useField } from "@/components/ui/field";
import { type ClientHit, distinguishHit } from "@/lib/clients/schema";
import { call } from "@/lib/core/api/client";

/** Someone who is typing does not pause this long between letters. */
const REST_MS = 150;

export const findClients = async (search: string): Promise<ClientHit[]> =>
  (await call("POST /api/clients/search", { body: { search } })).clients;

/** Finds clients by part of their name. */
export function ClientPicker({
  name,
  required = true,
  chosen,
  search = findClients,
  onChoose,
}: {
  /** The path of the form field that shows the error of the choice. */
  name: string;
  required?: boolean;
  chosen: string;
  search?: (text: string) => Promise<ClientHit[]>;
  onChoose: (client: ClientHit) => void;
}) {
  const listId = useId();
  const form = useFormContext();
  const state = useField({ name, required });
  const [text, setText] = useState<string | null>(null);
  /** The text searched for and its results; null while there are none, or if the search failed. */
  const [found, setFound] = useState<{ text: string; clients: ClientHit[] | null } | null>(null);
  const [active, setActive] = useState(0);
  const asked = useRef(0);
  const open = text !== null && found !== null;
  const options = found?.clients ?? [];

  async function look(next: string) {
    setText(next);
    setActive(0);
    asked.current += 1;
    const mine = asked.current;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if (mine !== asked.current) return;
    const clients = await search(next).catch(() => null);
    if (mine === asked.current) setFound({ text: next, clients });
  }

  function close() {
    asked.current += 1;
    setText(null);
    setFound(null);
  }

  function choose(client: ClientHit) {
    close();
    onChoose(client);
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!open) void look("");
      else setActive((active + step + options.length) % Math.max(options.length, 1));
    } else if (event.key === "Enter" && text !== null) {
      // While a search is running, Enter must neither save the form nor choose from the results of an earlier text.
      event.preventDefault();
      const client = options[active];
      if (client && found?.text === text) choose(client);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  }

  return (
    <Field state={state} label="Client" required={required} className="relative">
      <input
        {...state.control}
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && options[active] ? `${listId}-${options[active].id}` : undefined}
        autoComplete="off"
        placeholder="Type a name"
        className="control"
        value={text ?? chosen}
        onChange={(event) => void look(event.target.value)}
        onClick={() => open || void look("")}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          void form.trigger(name);
        }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Clients"
        hidden={!open || options.length === 0}
        className="absolute inset-x-0 z-20 mt-1 max-h-72 overflow-y-auto rounded-lg border border-control-line bg-surface py-1 shadow-lg"
      >
        {options.map((client, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's, which keeps the focus
          <div
            key={client.id}
            id={`${listId}-${client.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            ref={index === active ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
            className="flex min-h-control cursor-pointer items-center px-3 aria-selected:bg-accent-soft"
            // Keeps the focus in the input: its blur closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(client)}
          >
            {client.name}{" "}
            <span className="ml-auto pl-4 text-right text-muted text-sm">
              {[distinguishHit(client, options), client.advocate].filter(Boolean).join(" · ")}
            </span>
          </div>
        ))}
      </div>
      <p role="status" className="mt-1 text-muted text-sm empty:mt-0">
        {open &&
          options.length === 0 &&
          (found.clients ? "No client has a name like that." : "Search failed. Keep typing to retry.")}
      </p>
    </Field>
  );
}
