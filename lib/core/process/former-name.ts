import "server-only";

// The product was called Casebook until November 2026. Stored data still has that name, so every value here must stay
// the same. Otherwise existing data could not be read.

/**
 * Begins every key-derivation label. Another label gives another key, which could not decrypt drafts, seals and masks.
 */
export const KEY_LABEL = "casebook";

/** The prefix of older backups, which must be deleted in time, and the name of a database that is too old to upgrade. */
export const FORMER_KEY = "casebook";

/** Environment variables by their former name, which settings from before December 2026 use. */
export const FORMER_VARIABLES = {
  ORGANISATION_NAME: "ORGANIZATION_NAME",
  ORGANISATION_LOGO: "ORGANIZATION_LOGO",
  ORGANISATION_COLOUR: "ORGANIZATION_COLOR",
  ORGANISATION_HELP: "ORGANIZATION_HELP",
};
