/** `changed`: the last save lacks a change. `failed` is retried; `refused` only after the next change. */
export type AutosaveState = "idle" | "changed" | "saving" | "saved" | "failed" | "refused";

type Options = {
  /** True if there is anything to save. */
  isDirty: () => boolean;
  /** Saves the current values. With `leaving`, the page may end before the response. Rejects if they were not saved. */
  save: (leaving: boolean, signal: AbortSignal) => Promise<void>;
  /** True if saving the same values again may succeed. */
  isPassing: (error: unknown) => boolean;
  onState: (state: AutosaveState) => void;
};

type Running = { leaving: boolean; abort: AbortController; done: Promise<void> };

const AFTER_CHANGE_MS = 1_500;
const WHILE_CHANGING_MS = 10_000;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** The longest time that the real save waits for the draft's save. */
const PATIENCE_MS = 2_000;

export type Autosave = ReturnType<typeof createAutosave>;

/**
 * Saves 1.5 s after the last change, and at least every 10 s during continuous changes. Sends one request at a time and
 * retries failures with growing pauses. Nothing is lost in between, because the values stay in the form.
 */
export function createAutosave({ isDirty, save, isPassing, onState }: Options) {
  /** The time of the first change that no save contains yet. */
  let changedAt: number | null = null;
  let running: Running | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let retryAt = 0;
  /** While true, nothing is sent. */
  let isPaused = false;
  let state: AutosaveState = "idle";

  const report = (next: AutosaveState) => {
    state = next;
    onState(next);
  };

  const arm = () => {
    clearTimeout(timer);
    if (changedAt === null || running || isPaused) return;
    const now = Date.now();
    const due = Math.max(retryAt, Math.min(now + AFTER_CHANGE_MS, changedAt + WHILE_CHANGING_MS));
    timer = setTimeout(() => start(false), due - now);
  };

  const start = (leaving: boolean) => {
    clearTimeout(timer);
    changedAt = null;
    if (!isDirty()) return;
    const mine: Running = { leaving, abort: new AbortController(), done: Promise.resolve() };
    running = mine;
    report("saving");
    mine.done = save(leaving, mine.abort.signal).then(
      () => {
        failures = 0;
        retryAt = 0;
        end(mine, changedAt === null ? "saved" : "changed");
      },
      (error) => {
        if (!isPassing(error)) return end(mine, "refused");
        if (running === mine) {
          changedAt ??= Date.now();
          retryAt = Date.now() + Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
          failures += 1;
        }
        end(mine, "failed");
      },
    );
  };

  const end = (mine: Running, next: AutosaveState) => {
    if (running !== mine) return;
    running = null;
    report(next);
    arm();
  };

  /**
   * Waits for the current request, and aborts it if it takes too long, to be retried later. Returns true if it
   * finished.
   */
  const settle = async (): Promise<boolean> => {
    const last = running;
    if (!last) return true;
    let patience: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      last.done,
      new Promise((resolve) => {
        patience = setTimeout(resolve, PATIENCE_MS);
      }),
    ]);
    clearTimeout(patience);
    if (running !== last) return true;
    running = null;
    last.abort.abort();
    changedAt ??= Date.now();
    report("failed");
    arm();
    return false;
  };

  /** Saves the latest values, or gives up after a while. */
  const flush = async () => {
    if (!(await settle()) || changedAt === null) return;
    start(false);
    await settle();
  };

  return {
    /** Call this on every change. */
    schedule() {
      changedAt ??= Date.now();
      if (state === "saved") report("changed");
      arm();
    },
    /** Sends unsaved values at once and replaces the current request, because the page may end now. */
    leave() {
      if (isPaused || !isDirty() || (changedAt === null && (running?.leaving ?? true))) return;
      running?.abort.abort();
      start(true);
    },
    /** Retries a failed save at once, because the connection is back. */
    retry() {
      if (retryAt === 0) return;
      failures = 0;
      retryAt = 0;
      if (changedAt !== null && !running && !isPaused) start(false);
    },
    /** Saves the latest values before the session ends. Does nothing during the real save. */
    flush: async () => {
      if (!isPaused) await flush();
    },
    /**
     * Saves the latest values, then runs `work` without sending anything. So no late autosave restores a draft that
     * `work` has made obsolete. If `work` fails, later changes are saved.
     */
    async hold<T>(work: () => Promise<T>): Promise<T> {
      isPaused = true;
      await flush();
      try {
        const result = await work();
        changedAt = null;
        return result;
      } finally {
        isPaused = false;
        arm();
      }
    },
  };
}
