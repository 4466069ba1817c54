import "server-only";

// The product was called Casebook until November 2026. Stored data still has that name, so every value here must stay
// the same. Otherwise existing data could not be read.

/**
 * Begins every key-derivation label. Another label gives another key, which could not decrypt drafts, seals and masks.
 */
export const KEY_LABEL = "casebook";

/**
 * The file name prefix of backups, the key of their first line, the embedded database and its role. Also the private
 * folder of older installations.
 */
export const FORMER_KEY = "casebook";

/** Begins older API tokens. They are stored as hashes, so they cannot get the new prefix. */
export const FORMER_TOKEN_PREFIX = "cb_";

/** Begins encrypted backups from before the age format. */
export const FORMER_MAGIC = Buffer.from("casebook, encrypted, 1\n");

/** Environment variables by their former name, which settings from before December 2026 use. */
export const FORMER_VARIABLES = {
  ORGANISATION_NAME: "ORGANIZATION_NAME",
  ORGANISATION_LOGO: "ORGANIZATION_LOGO",
  ORGANISATION_COLOUR: "ORGANIZATION_COLOR",
  ORGANISATION_HELP: "ORGANIZATION_HELP",
};
