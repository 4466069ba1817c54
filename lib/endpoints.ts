import * as history from "@/lib/audit/api";
import * as clientCalls from "@/lib/clients/api";
import * as merges from "@/lib/clients/merges/api";
import * as restrictions from "@/lib/clients/restrictions/api";
import * as contactCalls from "@/lib/contacts/api";
import * as description from "@/lib/core/api/description-api";
import type { Endpoint } from "@/lib/core/api/endpoint";
import { keysOf } from "@/lib/core/objects";
import * as server from "@/lib/core/server/api";
import * as forms from "@/lib/forms/api";
import * as byClient from "@/lib/forms/by-client/api";
import * as drafts from "@/lib/forms/drafts/api";
import * as fields from "@/lib/forms/fields/api";
import * as fieldSettings from "@/lib/forms/fields/settings-api";
import * as handOver from "@/lib/forms/hand-over/api";
import * as periods from "@/lib/forms/periods/api";
import * as review from "@/lib/forms/review/api";
import * as groupCalls from "@/lib/groups/api";
import * as guide from "@/lib/guide/api";
import * as accounts from "@/lib/identity/accounts-api";
import * as auth from "@/lib/identity/sessions-api";
import * as tokens from "@/lib/identity/tokens/api";
import * as lookups from "@/lib/lookups/api";
import * as organization from "@/lib/organization/api";
import * as recordCalls from "@/lib/records/api";
import * as reports from "@/lib/reports/api";
import * as retention from "@/lib/retention/api";
import * as shelterCalls from "@/lib/shelter/api";
import * as archive from "@/lib/transfer/archive/api";
import * as imports from "@/lib/transfer/imports/api";

// Histories are in the description next to each other.
const { getContactHistory, ...contacts } = contactCalls;
const { getStayHistory, ...shelter } = shelterCalls;
const { getGroupHistory, getGroupSessionHistory, ...groupRecords } = groupCalls;
const { exportClientRecord, ...declaredRecords } = recordCalls;
const clients = { ...clientCalls, exportClientRecord };

const groups = {
  accounts: { ...accounts, ...handOver },
  archive,
  auth,
  clients,
  contacts,
  description,
  drafts,
  fields: { ...fields, ...fieldSettings },
  forms: { ...forms, ...byClient },
  groupRecords,
  guide,
  history: { ...history, getContactHistory, getStayHistory, getGroupHistory, getGroupSessionHistory },
  imports,
  lookups,
  merges,
  organization,
  periods,
  declaredRecords,
  reports,
  restrictions,
  retention,
  review,
  server,
  shelter,
  tokens,
};

/** An endpoint and its module; `key` is its list if it is declared once for each list. */
export type NamedEndpoint = { group: keyof typeof groups; name: string; key: string; endpoint: Endpoint };

/** Endpoints that are declared once for each list. */
type EndpointsByKey = Readonly<Record<string, Endpoint>>;
const isEndpoint = (declared: Endpoint | EndpointsByKey): declared is Endpoint =>
  typeof declared.method === "string";

/** Every endpoint of the API, module by module. */
export const namedEndpoints: readonly NamedEndpoint[] = keysOf(groups).flatMap((group) =>
  Object.entries<Endpoint | EndpointsByKey>(groups[group]).flatMap(([name, declared]) =>
    isEndpoint(declared)
      ? [{ group, name, key: "", endpoint: declared }]
      : Object.entries(declared).map(([key, endpoint]) => ({ group, name, key, endpoint })),
  ),
);

/** The same without their names. */
export const endpoints: readonly Endpoint[] = namedEndpoints.map(({ endpoint }) => endpoint);

type Groups = (typeof groups)[keyof typeof groups];
type Declared<Group> = Group extends unknown ? Group[keyof Group] : never;
type Single<D> = D extends Endpoint ? D : D extends Readonly<Record<string, infer E>> ? E : never;

/**
 * All declarations by method and path, for example `"GET /api/forms/{id}"`. They type the browser's calls.
 */
export type Endpoints = {
  [E in Extract<Single<Declared<Groups>>, Endpoint> as `${E["method"]} ${E["path"]}`]: E;
};
