import { readFileSync } from "node:fs";
import {
  PERMISSION_NAMES,
  type Permission,
  permissionKey,
  permissionKeys,
} from "@/lib/core/access/permissions";
import { lookupKeys } from "@/lib/lookups/registry";
import { resourceKeys } from "@/lib/lookups/resources/schema";
import type { Method } from "@/tests/call";

// The table "Every call" of docs/reference/permissions.md: who may use each method of each path of the API. It is
// written by hand, so that tests do not compare the code with itself.

const PAGE = "docs/reference/permissions.md";
const LISTED_METHODS = ["GET", "POST", "PUT", "DELETE"] as const satisfies Method[];

/** The callers of a method: anyone, any signed-in user, or holders of one of `anyOf` and of each of `also`. */
export type Need = "anyone" | "signed in" | { anyOf: readonly Permission[]; also: readonly Permission[] };
/** How a call answers about records of others. */
export type About = "404" | "left out" | "shared" | "counted" | "";
/** A path, with the placeholders of its route file. */
export type Row = {
  path: string;
  needs: Partial<Record<Method, Need>>;
  colleagues: About;
  hidden: About;
};

const isPermissionName = (name: string): name is (typeof PERMISSION_NAMES)[number] =>
  PERMISSION_NAMES.some((known) => known === name);

function permissionNamed(name: string): Permission {
  if (!isPermissionName(name)) throw new Error(`${PAGE} names no permission with "${name}"`);
  return permissionKey(name) as Permission;
}

/** Reads a cell with callers: "Clients or Forms", "Export and Clients", "anyone". `list` is the list of the path. */
function needIn(cell: string, list: string | null): Need {
  if (cell === "anyone" || cell === "signed in") return cell;
  if (cell === "all permissions") return { anyOf: ["export"], also: permissionKeys };
  const [first = "", ...rest] = cell.split(" and ").map((part) => {
    if (part === "the list's own" && list) return [list.replaceAll("_", "-") as Permission];
    return part.split(" or ").map(permissionNamed);
  });
  return { anyOf: first as Permission[], also: rest.flat() };
}

const ABOUT = ["404", "left out", "shared", "counted", ""];
function aboutIn(cell: string): About {
  if (!ABOUT.includes(cell)) throw new Error(`${PAGE}: "${cell}" is no word of the last two columns`);
  return cell as About;
}

/** The keys for which a path stands, by its placeholder. */
const KEYS: Record<string, readonly string[]> = { "{collection}": lookupKeys, "{list}": resourceKeys };

/** Returns the rows of the table, with one for each list in place of `{collection}` and `{list}`. */
export function everyCall(): Row[] {
  const [, section = ""] = readFileSync(PAGE, "utf8").split("## Every call");
  const cells = section
    .split("\n")
    .filter((line) => line.startsWith("| `/api/"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const listed = new Set(cells.map(([path = ""]) => path));
  return cells.flatMap(([written = "", ...columns]) => {
    const placeholder = Object.keys(KEYS).find((key) => written.includes(key)) ?? "";
    const paths = (KEYS[placeholder] ?? [""]).map((key): [string, string] => [
      written.replaceAll("`", "").replace(placeholder, key),
      key,
    ]);
    const [colleagues, hidden] = columns.slice(LISTED_METHODS.length).map(aboutIn);
    return paths
      .filter(([path]) => !placeholder || !listed.has(`\`${path}\``))
      .map(([path, list]) => ({
        path,
        needs: Object.fromEntries(
          LISTED_METHODS.flatMap((method, at) => {
            const cell = columns[at];
            return cell ? [[method, needIn(cell, list || null)]] : [];
          }),
        ),
        colleagues: colleagues ?? "",
        hidden: hidden ?? "",
      }));
  });
}
