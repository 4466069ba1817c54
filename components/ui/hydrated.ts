import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the server's HTML, where clicks would be lost. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
