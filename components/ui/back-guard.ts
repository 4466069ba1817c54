// Asks before Back leaves unsaved changes, in browsers without the Navigation API (Safari before 26.2).

/** A part of the page with unsaved changes. */
type Asker = {
  /** True if the user must confirm before the page at `url` opens. */
  asksAt(url: URL): boolean;
  /** Asks the user; `go` continues to the other page. */
  ask(go: () => void): void;
};

const askers = new Set<Asker>();
/** Marks the history entry that was added for Back. */
const MARK = "unsaved";
let added: { url: string; state: object } | undefined;

/**
 * Asks before Back, or a longer jump in the history, leaves this page. The browser reports only where it has gone, so
 * the page gets a second history entry: Back from it stays on this page.
 * @returns a function that ends it. The entry remains.
 */
export function guardBack(asker: Asker): () => void {
  askers.add(asker);
  // An entry that is marked already was added before a reload, or before the user came back to this page.
  const isMarked = Boolean(window.history.state?.[MARK]);
  // Next leaves entries alone that have its own state.
  added = { url: window.location.href, state: { ...window.history.state, [MARK]: true } };
  if (!isMarked) window.history.pushState(added.state, "", added.url);
  // In the capture phase, because Next listens on the window too.
  window.addEventListener("popstate", onTraverse, { capture: true });
  return () => {
    askers.delete(asker);
    if (askers.size === 0) window.removeEventListener("popstate", onTraverse, { capture: true });
  };
}

function onTraverse(event: PopStateEvent): void {
  const url = new URL(window.location.href);
  const isThisPage = added !== undefined && pageOf(url) === pageOf(new URL(added.url));
  if (isThisPage && event.state?.[MARK]) {
    // The added entry, to which `go(1)` or Forward returned.
    event.stopImmediatePropagation();
    return;
  }
  const asker = [...askers].find(({ asksAt }) => asksAt(url));
  if (!asker || !added) return;
  event.stopImmediatePropagation();
  if (isThisPage) {
    window.history.go(1);
    asker.ask(() => window.history.go(-2));
  } else {
    window.history.pushState(added.state, "", added.url);
    asker.ask(() => window.history.go(-1));
  }
}

const pageOf = ({ pathname, search }: URL): string => pathname + search;
