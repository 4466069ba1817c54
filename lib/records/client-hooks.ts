import "server-only";
import type { ClientHooks } from "@/lib/clients/hooks";
import { restrictionHooks } from "@/lib/clients/restrictions/restrictions";
import { formHooks } from "@/lib/forms/client-hooks";
import { groupHooks } from "@/lib/groups/client-hooks";
import { stayHooks } from "@/lib/shelter/client-hooks";

/** The hooks of all modules with what belongs to a client, in the order in which they run. */
export const clientHooks: readonly ClientHooks[] = [groupHooks, formHooks, stayHooks, restrictionHooks];
