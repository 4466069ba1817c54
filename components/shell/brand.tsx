/** The product's name, in document titles and beside the logo. */
export const APP_NAME = "Casebook";

/** Logo and name; `compact` leaves the name to assistive technology where room is scarce. */
export function Wordmark({ compact = false }: { compact?: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold text-lg">
      <svg aria-hidden="true" viewBox="0 0 32 32" width="1.5em" height="1.5em" className="flex-none">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M9 10c3 0 5 .7 7 2.5 2-1.8 4-2.5 7-2.5v12c-3 0-5 .7-7 2.5-2-1.8-4-2.5-7-2.5z"
          className="fill-on-accent"
        />
        <path d="M16 12.5v12" className="stroke-accent" strokeWidth="1.5" />
      </svg>
      <span className={compact ? "max-sm:sr-only" : undefined}>{APP_NAME}</span>
    </span>
  );
}
