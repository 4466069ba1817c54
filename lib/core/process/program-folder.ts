import "server-only";

/**
 * The folder of the program's own files: `dist` after a build, otherwise the repository. The working directory may
 * differ. Every bundled file sets the variable, which Next's copies of this module read too (lib/ops/bundle.ts).
 */
export const PROGRAM_FOLDER = process.env.LANTERNBOOK_FOLDER ?? process.cwd();
