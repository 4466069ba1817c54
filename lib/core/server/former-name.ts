import "server-only";

// The product was called Casebook until November 2026. Stored data still carries that name, so everything here must
// keep its value: without it, existing data could not be opened.

/** Begins every key-derivation label. Another label gives another key, and drafts, seals and masks would not open. */
export const KEY_LABEL = "casebook";

/** The file name prefix of backups, the key of their first line, the embedded database and its role, and the private folder of installations made before. */
export const FORMER_KEY = "casebook";

/** Begins the API tokens made before. They are stored as hashes, so they cannot be given the new prefix. */
export const FORMER_TOKEN_PREFIX = "cb_";

/** Begins the encrypted backups made before the age format. */
export const FORMER_MAGIC = Buffer.from("casebook, encrypted, 1\n");

/** Variables of the environment by their former name. Settings written before December 2026 have it. */
export const FORMER_VARIABLES = {
  ORGANISATION_NAME: "ORGANIZATION_NAME",
  ORGANISATION_LOGO: "ORGANIZATION_LOGO",
  ORGANISATION_COLOUR: "ORGANIZATION_COLOR",
  ORGANISATION_HELP: "ORGANIZATION_HELP",
};
