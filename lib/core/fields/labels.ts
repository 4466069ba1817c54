import { currentDefinitions } from "@/lib/core/fields/definitions";
import { DECLARED_CLIENT_NAME } from "@/lib/core/fields/words";

/**
 * Returns the label that the organization gave the field at a path, else the declared one. It needs no schema, so lists can
 * use it.
 */
export const labelFor = (path: string, declared: string): string =>
  currentDefinitions().settings.find((setting) => setting.path === path)?.label ?? declared;

/** The labels of a client's fields that lists and files also show. */
export const CLIENT_LABELS = {
  get name() {
    return labelFor("client.name", DECLARED_CLIENT_NAME);
  },
  createdOn: "Created On",
};
