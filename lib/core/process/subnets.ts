import "server-only";
import { BlockList, isIP } from "node:net";

type Family = "ipv4" | "ipv6";
const FAMILIES: Record<number, [family: Family, bits: number]> = { 4: ["ipv4", 32], 6: ["ipv6", 128] };

/**
 * Returns `172.18.0.0/16` as arguments of `BlockList.addSubnet`. A single address becomes a subnet of one; anything
 * else, null.
 */
export function parseSubnet(text: string): [address: string, bits: number, family: Family] | null {
  const [address = "", bits, ...more] = text.split("/");
  const [family, most = 0] = FAMILIES[isIP(address)] ?? [];
  if (!family || more.length > 0) return null;
  if (bits === undefined) return [address, most, family];
  return /^\d+$/.test(bits) && Number(bits) <= most ? [address, Number(bits), family] : null;
}

/** True if an address is in one of the subnets. False for text that is not an address. */
export function subnetsOf(texts: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const subnet of texts.map(parseSubnet)) if (subnet) list.addSubnet(...subnet);
  return (address) => {
    const [, , family] = parseSubnet(address) ?? [];
    return family !== undefined && !address.includes("/") && list.check(address, family);
  };
}

/**
 * Returns the network for which limits count an address: the address itself, or the first 64 bits of IPv6. One customer
 * has all the rest.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
