import type { MouseEvent } from "react";

/**
 * Returns a click handler that ignores the second half of a double click. An act on one of several removes or moves it, so
 * the second half would act on another one, which is under the pointer by then.
 */
export const onFirstClick =
  (act: (event: MouseEvent<HTMLElement>) => unknown) =>
  (event: MouseEvent<HTMLElement>): void => {
    if (event.detail < 2) act(event);
  };
