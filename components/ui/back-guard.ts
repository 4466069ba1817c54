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
/** The newest entry that was added. Null until the first one, when this module starts to watch the history. */
let added: { url: string; state: object } | null = null;
/** True if the current entry is the added one. */
let isOnAdded = false;

/**
 * Asks before Back, or a longer jump in the history, leaves this page. The browser reports only where it has gone, so
 * the page gets a second history entry: Back from it stays on this page. The next page takes that entry's place, and
 * without unsaved changes Back skips the other one.
 * @returns a function that ends it
 */
export function guardBack(asker: Asker): () => void {
  askers.add(asker);
  if (added === null) watchHistory();
  const { state } = window.history;
  // An entry that is marked already was added before a reload, or before the user came back to this page. Next drops the
  // mark when it refreshes the page.
  const isAdded =
    Boolean(state?.[MARK]) || (isOnAdded && pageOf(new URL(window.location.href)) === addedPage());
  // Next leaves entries alone that have its own state.
  added = { url: window.location.href, state: { ...state, [MARK]: true } };
  if (isAdded) window.history.replaceState(added.state, "", added.url);
  else window.history.pushState(added.state, "", added.url);
  isOnAdded = true;
  return () => void askers.delete(asker);
}

function watchHistory(): void {
  // In the capture phase, because Next listens on the window too.
  window.addEventListener("popstate", onTraverse, { capture: true });
  const { history } = window;
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const isLeft = isOnAdded && pageOf(new URL(url ?? "", window.location.href)) !== addedPage();
    if (isLeft) history.replaceState(state, unused, url);
    else push(state, unused, url);
    isOnAdded &&= !isLeft;
  };
}

function onTraverse(event: PopStateEvent): void {
  const wasOnAdded = isOnAdded;
  isOnAdded = Boolean(event.state?.[MARK]);
  const url = new URL(window.location.href);
  const isThisPage = pageOf(url) === addedPage();
  if (isThisPage && isOnAdded) {
    // The added entry, to which `go(1)` or Forward returned.
    event.stopImmediatePropagation();
    return;
  }
  const asker = [...askers].find(({ asksAt }) => asksAt(url));
  if (asker && added) {
    event.stopImmediatePropagation();
    if (isThisPage) {
      window.history.go(1);
      asker.ask(() => window.history.go(-2));
    } else {
      window.history.pushState(added.state, "", added.url);
      isOnAdded = true;
      asker.ask(() => window.history.go(-1));
    }
  } else if (isThisPage && wasOnAdded) {
    event.stopImmediatePropagation();
    window.history.go(-1);
  }
}

const addedPage = (): string | null => added && pageOf(new URL(added.url));

const pageOf = ({ pathname, search }: URL): string => pathname + search;
