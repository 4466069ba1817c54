import * as accounts from "@/lib/accounts/api";
import { type Endpoint, type Family, membersOf } from "@/lib/api/endpoint";
import * as auth from "@/lib/auth/api";
import * as clients from "@/lib/clients/api";
import * as drafts from "@/lib/drafts/api";
import * as forms from "@/lib/forms/api";
import * as history from "@/lib/history/api";
import * as lookups from "@/lib/lookups/api";
import * as periods from "@/lib/periods/api";
import * as reports from "@/lib/reports/api";
import * as review from "@/lib/review/api";
import * as server from "@/lib/server/api";
import * as tokens from "@/lib/tokens/api";

const rooms = [
  accounts,
  auth,
  clients,
  drafts,
  forms,
  history,
  lookups,
  periods,
  reports,
  review,
  server,
  tokens,
];

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = rooms
  .flatMap((room): (Endpoint | Family)[] => Object.values(room))
  .flatMap(membersOf);

type Rooms = (typeof rooms)[number];
type Declared<Room> = Room extends unknown ? Room[keyof Room] : never;
type Single<D> = D extends Family<string, string, infer E> ? E : D;

/** All declarations by method and path, for example `"GET /api/forms/{id}"`. They type the browser's calls. */
export type Endpoints = {
  [E in Extract<Single<Declared<Rooms>>, Endpoint> as `${E["method"]} ${E["path"]}`]: E;
};
