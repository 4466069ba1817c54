/**
 * Returns a click handler that ignores the second half of a double click. An act on a row removes the row, so the second
 * half would act on another one, which has moved under the pointer.
 */
export const onFirstClick =
  (act: () => unknown) =>
  ({ detail }: { detail: number }): void => {
    if (detail < 2) act();
  };
