import { fileURLToPath } from "node:url";
import { register } from "tsx/esm/api";

// Runs TypeScript in plain Node: `node --import ./lib/ops/tsx.mjs file.ts`. Its tsconfig maps "server-only" to that
// package's empty module, because the real module throws outside a React Server bundle.
register({ tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)) });
