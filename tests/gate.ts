/** A barrier that waits until the test opens it. */
export interface Gate {
  /** Resolves when the gate is opened. */
  opened: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
