import { currentDefinitions } from "@/lib/core/fields/definitions";

/**
 * Returns the label that the organization gave the field at a path, else the declared one. It needs no schema, so lists can
 * use it.
 */
export const labelFor = (path: string, declared: string): string =>
  currentDefinitions().settings.find((setting) => setting.path === path)?.label ?? declared;
