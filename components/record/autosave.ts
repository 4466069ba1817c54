/** `failed` is tried again; `refused` is not before the next change. */
export type AutosaveState = "idle" | "saving" | "saved" | "failed" | "refused";

type Options = {
  /** Whether there is anything to keep. */
  isDirty: () => boolean;
  /** Keeps the present values; `leaving` says that the page may end before the answer. Rejects when they were not kept. */
  save: (leaving: boolean, signal: AbortSignal) => Promise<void>;
  /** Whether the same values may be kept at another try. */
  isPassing: (error: unknown) => boolean;
  onState: (state: AutosaveState) => void;
};

type Running = { leaving: boolean; abort: AbortController; done: Promise<void> };

const AFTER_CHANGE_MS = 1_500;
const WHILE_CHANGING_MS = 10_000;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** How long a save of the real thing waits for the draft's. */
const PATIENCE_MS = 2_000;

export type Autosave = ReturnType<typeof createAutosave>;

/**
 * Saves 1.5 s after the last change, at least every 10 s while they go on, one request at a time, and again with
 * growing pauses after a failure: the values stay where they are, so nothing is lost meanwhile.
 */
export function createAutosave({ isDirty, save, isPassing, onState }: Options) {
  /** When the first change was made that no save carries yet. */
  let changedAt: number | null = null;
  let running: Running | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let retryAt = 0;
  /** While set, nothing is sent. */
  let held = false;

  const arm = () => {
    clearTimeout(timer);
    if (changedAt === null || running || held) return;
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
    onState("saving");
    mine.done = save(leaving, mine.abort.signal).then(
      () => {
        failures = 0;
        retryAt = 0;
        end(mine, "saved");
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

  const end = (mine: Running, state: AutosaveState) => {
    if (running !== mine) return;
    running = null;
    onState(state);
    arm();
  };

  /** Until nothing is under way; what takes too long is broken off, to be tried again later. Whether it had an end. */
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
    onState("failed");
    arm();
    return false;
  };

  /** Keeps the latest values, or gives up after a while. */
  const flush = async () => {
    if (!(await settle()) || changedAt === null) return;
    start(false);
    await settle();
  };

  return {
    /** To be called at every change. */
    schedule() {
      changedAt ??= Date.now();
      arm();
    },
    /** The page may end now: what is not kept yet is sent at once, in place of what is under way. */
    leave() {
      if (held || !isDirty() || (changedAt === null && (running?.leaving ?? true))) return;
      running?.abort.abort();
      start(true);
    },
    /** Keeps the latest values now, before the session ends; a save of the real thing is not disturbed. */
    flush: async () => {
      if (!held) await flush();
    },
    /**
     * Keeps the latest values, then runs `work` with nothing sent meanwhile, so that no late autosave brings back
     * what `work` has made needless. Changes made meanwhile count when `work` fails.
     */
    async hold<T>(work: () => Promise<T>): Promise<T> {
      held = true;
      await flush();
      try {
        const result = await work();
        changedAt = null;
        return result;
      } finally {
        held = false;
        arm();
      }
    },
  };
}
