import "server-only";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { subnetsOf } from "@/lib/core/process/subnets";

/**
 * Returns a function that finds the address of a request's client, given the addresses and subnets of TRUSTED_PROXIES.
 * A proxy appends its client to `X-Forwarded-For`, so only the last entry is the proxy's own. The entries before it are
 * untrusted, unless the last is another proxy, listed by its own address. A subnet only limits where a proxy may
 * connect from: clients may be in it too.
 */
export function clientAddresses(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const mayBeProxy = subnetsOf(trustedProxies);
  const isProxy = subnetsOf(trustedProxies.filter((entry) => !entry.includes("/")));

  return ({ headers, socket }) => {
    let address = plain(socket.remoteAddress ?? "");
    if (!mayBeProxy(address)) return address;
    const hops = [headers["x-forwarded-for"] ?? []].flat().join().split(",").map(plain);
    for (const hop of hops.reverse()) {
      if (!isIP(hop)) break;
      address = hop;
      if (!isProxy(hop)) break;
    }
    return address;
  };
}

/** Returns an IPv4 address in its usual form, even if a dual-stack socket reports it as IPv6. */
const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.)/, "");
