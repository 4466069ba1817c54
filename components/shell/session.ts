import { useSyncExternalStore } from "react";
import { hasUnsaved, watchTyping } from "@/components/ui/unsaved";
import {
  call,
  countSignIn,
  isCode,
  messagesOf,
  setSignInAgain,
  signIns,
  toLogin,
} from "@/lib/core/api/client";
import type { ResponseOf } from "@/lib/core/api/endpoint";
import { PRODUCT_KEY } from "@/lib/core/product";
import type { Endpoints } from "@/lib/endpoints";

/**
 * The state of the session on this page. `locked`: the page is hidden until its user has signed in again. Its unsaved
 * values stay in memory only.
 */
export type SessionPhase =
  | { kind: "active" }
  | { kind: "warning"; endsAt: number; extendable: boolean }
  | { kind: "locked"; reason: LockReason };

type LockReason = "ended" | "hidden";

const WARN_SECONDS = 120;
const RETRY_MS = 15_000;

const ACTIVE: SessionPhase = { kind: "active" };
let phase: SessionPhase = ACTIVE;
const listeners = new Set<() => void>();
/** Resolvers of calls that wait for the user to sign in again. */
let waiting: (() => void)[] = [];
let endsAt = Number.POSITIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;
/** True while the page is hidden but its session has not ended yet. */
let mustSignOut = false;

const CHANNEL = `${PRODUCT_KEY}.session`;
type News = LockReason | "signed-in" | "prolonged" | "proved";

/** Notifies other tabs of a change to the session. */
export function announce(news: News): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Calls `act` when another tab has completed a proof with single sign-on. Returns a function that unsubscribes. */
export function whenProved(act: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<News>) => data === "proved" && act();
  return () => channel.close();
}

function enter(next: SessionPhase): void {
  phase = next;
  mustSignOut &&= next.kind === "locked" && next.reason === "hidden";
  for (const listener of listeners) listener();
}

export const useSessionPhase = (): SessionPhase =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => phase,
    () => ACTIVE,
  );

function lock(reason: LockReason): void {
  clearTimeout(timer);
  if (phase.kind !== "locked") enter({ kind: "locked", reason });
}

/**
 * Hides the page because the session has ended. A page without unsaved values goes to the login page, which leads back
 * here. A page with unsaved values stays in memory and asks for the password in place.
 */
function end(): void {
  const isFirst = phase.kind !== "locked";
  lock("ended");
  if (isFirst && !hasUnsaved()) toLogin();
}

function unlock(): void {
  countSignIn();
  enter(ACTIVE);
  for (const resume of waiting) resume();
  waiting = [];
}

const FLUSH_MS = 1_000;
const flushes = new Set<() => Promise<void>>();

/**
 * Registers `flush` to be called before the user signs out, while drafts can still be saved. Returns a function that
 * unregisters it.
 */
export function beforeSignOut(flush: () => Promise<void>): () => void {
  flushes.add(flush);
  return () => flushes.delete(flush);
}

/** Ends the session after saving drafts, waiting at most a second. Rejects if the session may still be valid. */
export async function signOut(): Promise<void> {
  const before = signIns;
  const logout = (keepalive: boolean) => call("DELETE /api/logout", { keepalive, onUnauthorized: () => {} });
  // A user who closes the page in the meantime wants to be signed out too.
  const onLeave = () => void logout(true).catch(() => {});
  window.addEventListener("pagehide", onLeave);
  const patience = new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
  await Promise.race([Promise.allSettled([...flushes].map((flush) => flush())), patience]);
  try {
    // Not if the user has signed in again in the meantime.
    if (signIns === before) await logout(false);
  } catch (error) {
    // If the session had already ended, nothing is left to do.
    if (!isCode(error, "unauthorized")) throw error;
  } finally {
    window.removeEventListener("pagehide", onLeave);
  }
}

/** Hides the page in every tab and ends the session. A reload or another tab then needs the password. */
export function hideScreen(): void {
  lock("hidden");
  announce("hidden");
  mustSignOut = true;
  void endHidden();
}

/** Ends the session of the hidden page. Tries again while the server cannot be reached, until the user signs in. */
async function endHidden(): Promise<void> {
  try {
    await signOut();
    mustSignOut = false;
  } catch {
    clearTimeout(timer);
    if (mustSignOut) timer = setTimeout(() => mustSignOut && void endHidden(), RETRY_MS);
  }
}

/** Loads the session, after a sign-in and at the start of a page. A failure is only logged; the result is then null. */
export async function loadSession(): Promise<ResponseOf<Endpoints["GET /api/me"]> | null> {
  try {
    return await call("GET /api/me", { onUnauthorized: () => {} });
  } catch (error) {
    reportFailure(error);
    return null;
  }
}

/** Call this when the same user has signed in again. */
export function signedInAgain(userId: number): void {
  announce("signed-in");
  unlock();
  void loadSession().then(() => look(userId));
}

/** Extends the session. */
export async function staySignedIn(userId: number): Promise<void> {
  await call("GET /api/me");
  announce("prolonged");
  await look(userId);
}

/** True while the user may be leaving the page. */
let isLeaving = false;
/** The time after which a user who began to leave must have stayed. */
const LEAVING_MS = 10_000;

/** Logs a request that failed, unless the page is being left: Firefox cancels its requests then. */
function reportFailure(error: unknown): void {
  if (!isLeaving) console.error(messagesOf(error).join("\n"));
}

/** Checks how long the session remains valid, without extending it, and acts on the result. */
async function look(userId: number): Promise<void> {
  clearTimeout(timer);
  if (mustSignOut) return endHidden();
  const before = signIns;
  const again = (milliseconds: number) => {
    timer = setTimeout(() => void look(userId), milliseconds);
  };
  try {
    const session = await call("GET /api/sessions/current", { onUnauthorized: () => {} });
    // Another user has signed in and must not see anything on this page.
    if (session.userId !== userId) {
      lock("ended");
      const { landingOf } = await import("./menu");
      return leave(landingOf(await call("GET /api/me")).href);
    }
    if (phase.kind === "locked" && phase.reason === "hidden") return;
    endsAt = Date.now() + session.secondsLeft * 1000;
    if (session.secondsLeft > WARN_SECONDS) {
      if (phase.kind !== "active") unlock();
      again((session.secondsLeft - WARN_SECONDS) * 1000);
    } else {
      enter({ kind: "warning", endsAt, extendable: session.extendable });
      again((session.secondsLeft + 1) * 1000);
    }
  } catch (error) {
    // After a new sign-in the check runs again.
    if (phase.kind === "locked" || signIns !== before) return;
    if (isCode(error, "unauthorized") || Date.now() >= endsAt) return end();
    reportFailure(error);
    again(RETRY_MS);
  }
}

/** Loads another page as a whole, which clears the data of this one from memory. */
export function leave(path: string): void {
  lock("ended");
  window.location.assign(path);
}

/** Watches the session of this page. Returns a function that stops watching. */
export function watchSession(userId: number): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  watchTyping(signal);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<News>) => {
    if (data === "ended") return end();
    if (data === "hidden") return lock(data);
    // A hidden page is also shown again if its own user has signed in.
    if (phase.kind === "locked" && data === "signed-in") enter({ kind: "locked", reason: "ended" });
    void look(userId);
  };
  setSignInAgain(() => {
    end();
    return new Promise((resume) => waiting.push(resume));
  });
  // After the computer was asleep, timers are late.
  const wake = () => {
    if (document.visibilityState === "hidden") return;
    if (Date.now() >= endsAt) end();
    void look(userId);
  };
  document.addEventListener("visibilitychange", wake, { signal });
  window.addEventListener("focus", wake, { signal });
  window.addEventListener("online", () => void look(userId), { signal });
  window.addEventListener(
    "beforeunload",
    () => {
      isLeaving = true;
      setTimeout(() => {
        isLeaving = false;
      }, LEAVING_MS);
    },
    { signal },
  );
  // The back/forward cache would restore the page as it was, even for another user of the browser.
  window.addEventListener("pageshow", (event) => event.persisted && window.location.reload(), { signal });
  void loadSession().then(() => {
    if (!signal.aborted) void look(userId);
  });
  return () => {
    stop.abort();
    clearTimeout(timer);
    channel.close();
    setSignInAgain(null);
    enter(ACTIVE);
  };
}
