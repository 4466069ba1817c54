import { appendFileSync, readFileSync } from "node:fs";
import { supervise } from "@/lib/ops/practice";

// A program that practice mode supervises: it asks once to be started again, then ends with 7. `node … supervised.ts FILE`
// writes a line for each start.

const [file = ""] = process.argv.slice(2);
if (!process.connected) supervise();
else {
  appendFileSync(file, "started\n");
  process.exit(readFileSync(file, "utf8").split("\n").length > 2 ? 7 : 75);
}
