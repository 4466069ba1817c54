import { lazy } from "react";

/** Few forms have comments, so this code is loaded with the first one. */
export const Conversation = lazy(async () => ({
  default: (await import("@/components/forms/conversation")).Conversation,
}));
