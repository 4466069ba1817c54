import "server-only";
import packageJson from "@/package.json";

/** The version of the program, for example `1.4.0`. */
export const VERSION: string = packageJson.version;
