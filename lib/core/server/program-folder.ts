import "server-only";

/**
 * The folder of the program's own files: `dist` once it is built, else the repository. The working directory may be
 * another one. Every bundled file sets the variable, which Next's copies of this module read too (lib/ops/bundle.ts).
 */
export const PROGRAM_FOLDER = process.env.LANTERNBOOK_FOLDER ?? process.cwd();
