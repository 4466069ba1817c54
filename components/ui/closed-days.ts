import { createContext } from "react";

/** The last day whose records can no longer be changed, as `YYYY-MM-DD`; null if there is none. */
export const ClosedThrough = createContext<string | null>(null);
