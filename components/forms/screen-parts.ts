import { createContext, type RefObject } from "react";
import type { Base } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";

export type SharedParts = {
  choices: Choices;
  /** The values as loaded. */
  base: RefObject<Base>;
  /** The verbal confirmations of the clients that were read, by id. */
  consents: RefObject<Map<number, boolean>>;
};

/** The state of the form screen, for elements that the page hands to it. */
export const ScreenParts = createContext<SharedParts | null>(null);
