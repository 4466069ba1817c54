import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the server's HTML, where a click would still be lost and the reader's time zone is not known. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
