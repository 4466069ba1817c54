import { PhoneNumber } from "@/components/clients/phone-number";
import type { Client } from "@/lib/clients/api-schema";

/** A client's phone number, which the page gets only on request. */
export const clientPhone = ({ id, clientBiographicalEntry }: Client) => (
  <PhoneNumber clientId={id} safeToCall={clientBiographicalEntry?.safeToCall ?? false} />
);
