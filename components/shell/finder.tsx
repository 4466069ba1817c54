"use client";

import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type { Menu, MenuItem } from "@/components/shell/menu-items";
import { ErrorAlert } from "@/components/ui/alert";
import { openSection } from "@/components/ui/open-section";
import { useListbox } from "@/components/ui/use-listbox";
import type { ClientHit } from "@/lib/clients/api-schema";
import { distinguishHit } from "@/lib/clients/hits";
import { call, messagesOf } from "@/lib/core/api/client";
import { PAGES, to } from "@/lib/core/pages";
import type { EnteredKey } from "@/lib/records/quick-entry";

const DEBOUNCE_MS = 150;
const LEAST_LETTERS = 2;

type Found = { id: string; label: string; note: string; go: () => void };

/** True if each word of the text begins a word of the label. */
function fits(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/\s+/);
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean);
  return asked.every((part) => words.some((word) => word.startsWith(part)));
}

/** The sections of the form on the page, each with a function that opens its first control. */
const sectionsHere = (): Found[] =>
  [...document.querySelectorAll<HTMLAnchorElement>("#sections a[href^='#']")].map((link) => ({
    id: link.hash,
    label: link.querySelector("[data-title]")?.textContent ?? "",
    note: "Section of this form",
    go: () => {
      const section = document.querySelector(link.hash);
      openSection(section);
      section?.scrollIntoView();
      const controls = section?.querySelectorAll<HTMLElement>("input, select, textarea") ?? [];
      [...controls].find((control) => control.checkVisibility() && !control.matches(":disabled"))?.focus();
    },
  }));

/** Finds clients by name, forms by number, settings and actions, by keyboard or not. */
export default function Finder({
  menu,
  typedAhead,
  onReady,
  onGo,
  onKeys,
  onEntry,
}: {
  menu: Menu;
  /** The text typed while this component was loading. */
  typedAhead: RefObject<string>;
  /** Called with true once the field is shown, and with false when it is removed. */
  onReady: (isReady: boolean) => void;
  /** Closes the finder and follows the link, unless the user stays for unsaved changes. */
  onGo: (link: string | (() => void)) => void;
  onKeys: () => void;
  /** Closes the finder and opens the quick entry of a kind of record. */
  onEntry: (kind: EnteredKey) => void;
}) {
  const [text, setText] = useState("");
  useLayoutEffect(() => {
    setText(typedAhead.current);
    onReady(true);
    return () => onReady(false);
  }, [typedAhead, onReady]);
  const has = (href: string) => menu.main.some((item) => item.href === href);
  const { clients, messages, isCurrent } = useClients(has(to("clientsList")) ? text.trim() : "");

  const [sections] = useState(sectionsHere);
  const page = ({ href, label }: MenuItem, note: string): Found => ({
    id: href,
    label,
    note,
    go: () => onGo(href),
  });
  const places: Found[] = [
    ...sections.map((section) => ({ ...section, go: () => onGo(section.go) })),
    ...(has(to("formsList")) ? [page({ href: to("formsNew"), label: PAGES.formsNew.title }, "Action")] : []),
    ...(has(to("clientsList"))
      ? [page({ href: to("clientsNew"), label: PAGES.clientsNew.title }, "Action")]
      : []),
    ...menu.entered.map(({ kind, title }) => ({
      id: `record-${kind}`,
      label: title,
      note: "Action",
      go: () => onEntry(kind),
    })),
    ...menu.main.map((item) => page(item, "List")),
    ...(menu.settings.length > 0 ? [page({ href: to("settings"), label: "Settings" }, "Overview")] : []),
    ...menu.settings.map((item) => page(item, "Settings")),
    page({ href: to("profile"), label: "Profile" }, "Your account"),
    { id: "keys", label: "Keyboard shortcuts", note: "Action", go: onKeys },
  ];
  const number = has(to("formsList")) ? /^#?(\d{1,9})$/.exec(text.trim())?.[1] : undefined;
  const results: Found[] = [
    ...(number
      ? [page({ href: to("formsView", { id: number }), label: `Form ${number}` }, "Form number")]
      : []),
    ...places.filter(({ label }) => fits(label, text)),
    ...clients.map((client) =>
      page(
        { href: to("clientsShow", { id: client.id }), label: client.name },
        ["Client", distinguishHit(client, clients), client.advocate].filter(Boolean).join(" · "),
      ),
    ),
  ];

  const listbox = useListbox({
    label: "Results",
    count: results.length,
    isOpen: results.length > 0,
    // If only clients of an earlier text are shown, Enter must not open one of them.
    onEnter: isCurrent || results.length > clients.length ? "choose" : "wait",
    onChoose: (index) => results[index]?.go(),
  });

  return (
    <>
      <input
        {...listbox.input}
        type="text"
        aria-label="Client, form number, setting, or action"
        placeholder="Client, form number, setting…"
        className="control"
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          listbox.restart();
        }}
      />
      <ErrorAlert messages={messages} />
      <div {...listbox.list} className="-mx-2 max-h-80 overflow-y-auto">
        {results.map(({ id, label, note }, index) => (
          <div
            {...listbox.optionAt(index)}
            key={id}
            className="flex min-h-control cursor-pointer flex-wrap content-center items-baseline gap-x-4 rounded-md px-2 py-1 hover:bg-subtle aria-selected:bg-accent-soft"
          >
            <span className="min-w-0 flex-auto wrap-anywhere">{label}</span>
            <span className="text-muted text-sm">{note}</span>
          </div>
        ))}
      </div>
      <p role="status" className="text-muted empty:hidden">
        {results.length === 0 && "No results."}
      </p>
    </>
  );
}

/**
 * Returns the clients whose names contain the typed text, once typing pauses. Until then it returns those of an earlier
 * text, and `isCurrent` is false.
 */
function useClients(text: string): { clients: ClientHit[]; messages: string[]; isCurrent: boolean } {
  const [state, setState] = useState<{ text: string; clients: ClientHit[]; messages: string[] }>({
    text: "",
    clients: [],
    messages: [],
  });
  const asks = text.length >= LEAST_LETTERS && !/^#?\d+$/.test(text);
  useEffect(() => {
    if (!asks) return;
    const ask = new AbortController();
    const timer = setTimeout(() => {
      call("POST /api/clients/search", { body: { search: text }, signal: ask.signal }).then(
        ({ clients }) => setState({ text, clients, messages: [] }),
        (error) => ask.signal.aborted || setState({ text, clients: [], messages: messagesOf(error) }),
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      ask.abort();
    };
  }, [text, asks]);
  if (!asks) return { clients: [], messages: [], isCurrent: true };
  return { ...state, isCurrent: state.text === text };
}
