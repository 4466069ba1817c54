"use client";

import type { ComponentProps, ReactNode } from "react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useHydrated } from "./hydrated";
import { SearchIcon, TrashIcon } from "./icons";
import { Link } from "./link";

type Look = { variant?: "primary" | "secondary" | "danger" | "ghost"; size?: "sm"; icon?: ReactNode };

function buttonClass(className?: string) {
  return className ? `button ${className}` : "button";
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  );
}

/** A button. `busy` shows that its work is in progress and ignores clicks, but keeps the focus. */
export function Button({
  variant = "secondary",
  size,
  icon,
  busy = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: Look & { busy?: boolean } & ComponentProps<"button">) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(className)}
      data-variant={variant}
      data-size={size}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  variant = "secondary",
  size,
  icon,
  className,
  children,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={buttonClass(className)} data-variant={variant} data-size={size}>
      {icon}
      {children}
    </Link>
  );
}

/** A button that shows only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  icon,
  variant = "ghost",
  ...rest
}: { label: string; icon: ReactNode } & Omit<ComponentProps<typeof Button>, "children" | "icon">) {
  return (
    <Button {...rest} variant={variant} aria-label={label} title={label} data-icon-only="" icon={icon} />
  );
}

/** A link that shows only an icon; `label` is its accessible name and its tooltip. */
export function IconLink({
  label,
  icon,
  variant = "ghost",
  ...rest
}: { label: string; icon: ReactNode } & Omit<ComponentProps<typeof LinkButton>, "children" | "icon">) {
  return (
    <LinkButton {...rest} variant={variant} aria-label={label} title={label} data-icon-only="" icon={icon} />
  );
}

/** Removes a record of a list; set apart from the other actions of its row. */
export function RemoveButton({ onClick }: { onClick: () => void }) {
  return <IconButton label="Remove" data-remove="" icon={<TrashIcon />} onClick={onClick} />;
}

export type Option = { value: string | number; label: string; hint?: string };

/** The options of a `<select>`. `placeholder` is the text of the empty option, or null for none. */
export function SelectOptions({ options, placeholder }: { options: Option[]; placeholder: string | null }) {
  return (
    <>
      {placeholder !== null && <option value="">{placeholder}</option>}
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}

/** The class of a select whose label is above it. */
export const STACKED = "block [&>label]:mb-1 [&>label]:block [&>label]:text-ink";

/** A labeled select outside a form. */
export function Select({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
  placeholder = null,
  className,
}: {
  label: string;
  hideLabel?: boolean;
  options: Option[];
  value: string | number;
  onChange: (value: string) => void;
  placeholder?: string | null;
  className?: string;
}) {
  const id = useId();
  return (
    <div className={className ?? "flex items-center gap-2"}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "whitespace-nowrap text-sm text-muted"}>
        {label}
      </label>
      <select
        id={id}
        className="control disabled:bg-surface disabled:text-ink"
        // Before the page has its scripts, another choice would be shown without its effect.
        disabled={!useHydrated()}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <SelectOptions options={options} placeholder={placeholder} />
      </select>
    </div>
  );
}

const SEARCH_DEBOUNCE_MS = 500;

/** A search box that reports its text after 500 ms without typing, or at once on Enter. */
export function SearchInput({
  label = "Search",
  value,
  onSearch,
}: {
  label?: string;
  value: string;
  onSearch: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const [reportedText, setReportedText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const box = useRef<HTMLInputElement>(null);
  const takeEarlyText = useEffectEvent(() => {
    const early = box.current?.value ?? "";
    if (early !== text) type(early);
  });
  // Before the page has its scripts, people already type.
  useEffect(takeEarlyText, []);
  useEffect(() => {
    const forget = () => clearTimeout(timer.current);
    // A pending search would replace the page that a link leads to.
    const onClick = ({ target }: MouseEvent) => target instanceof Element && target.closest("a") && forget();
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("click", onClick);
      forget();
    };
  }, []);

  // A value from elsewhere (Back, a link) replaces the text. Our own value, arriving late, must not overwrite newer
  // typing.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== reportedText) {
      setReportedText(value);
      setText(value);
    }
  }

  function send(next: string) {
    clearTimeout(timer.current);
    if (next === reportedText) return;
    setReportedText(next);
    onSearch(next);
  }

  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), SEARCH_DEBOUNCE_MS);
  }

  return (
    <SearchBox
      ref={box}
      label={label}
      className="min-w-36 flex-1 sm:min-w-28"
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        send(text);
      }}
    />
  );
}

/** The input of a search, with its icon. */
export const SearchBox = ({
  label,
  className = "",
  ...input
}: Omit<ComponentProps<"input">, "type"> & { label: string }) => (
  <div className={`relative sm:max-w-80 ${className}`}>
    <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-muted">
      <SearchIcon />
    </span>
    <input
      {...input}
      type="search"
      className="control text-ellipsis pl-9"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
    />
  </div>
);
