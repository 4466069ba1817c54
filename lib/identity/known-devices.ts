import "server-only";
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ApiRequest } from "@/lib/core/api/request";
import { rows } from "@/lib/core/database/client";
import { keyFor, keysFor } from "@/lib/core/process/cipher";
import { PRODUCT_KEY } from "@/lib/core/product";
import { sql } from "@/lib/core/sql";
import { readCookie, setCookie } from "@/lib/identity/cookies";

/**
 * A browser that has signed users in before. Its failures have a separate count, so that strangers cannot lock these
 * users out of it. A signed cookie names the users, each with the generation of their devices. The generation increases
 * when they sign out everywhere, choose a new password or are deactivated.
 */
const COOKIE_DAYS = 90;
const COOKIE = `${PRODUCT_KEY}-device`;
const PURPOSE = "device cookie";
/** The maximum number of users of one browser, so that the cookie stays small. */
const MOST_USERS = 20;

const knownUser = z.object({
  userId: z.int(),
  generation: z.int(),
  at: z.int(),
  /** True if the user entered a code of two-step sign-in in this browser. */
  hasShownCode: z.boolean().optional(),
});
const schema = z.object({ id: z.uuid(), users: z.array(knownUser) });
type Device = z.output<typeof schema>;
export type DeviceOwner = { id: number; generation: number };

const seconds = () => Math.floor(Date.now() / 1000);

const signatureOf = (payload: string, key: Buffer) => createHmac("sha256", key).update(payload).digest();

const isSignedWith = (payload: string, given: Buffer, key: Buffer) => {
  const expected = signatureOf(payload, key);
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** Returns the request's device; null without a cookie that this server signed. */
export function readDevice(request: ApiRequest): Device | null {
  const [payload = "", signature = ""] = readCookie(request, COOKIE)?.split(".") ?? [];
  const given = Buffer.from(signature, "base64url");
  if (!keysFor(PURPOSE).some((key) => isSignedWith(payload, given, key))) return null;
  const { data: device } = schema.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  if (!device) return null;
  const oldest = seconds() - COOKIE_DAYS * 86_400;
  return { ...device, users: device.users.filter(({ at }) => at > oldest) };
}

const entryOf = ({ id, generation }: DeviceOwner, device: Device | null) =>
  device?.users.find((user) => user.userId === id && user.generation === generation);

/** True if the device has signed this user in, and nothing has ended that since. */
export const isKnownTo = (owner: DeviceOwner, device: Device | null): device is Device =>
  entryOf(owner, device) !== undefined;

/** True if the user has also entered a code of two-step sign-in on this known device. */
export const hasShownCodeOf = (owner: DeviceOwner, device: Device | null): device is Device =>
  entryOf(owner, device)?.hasShownCode ?? false;

/**
 * Returns the `Set-Cookie` header that makes this a known browser of the user. With `code`, they entered a code in it.
 */
export async function rememberDevice(
  request: ApiRequest,
  userId: number,
  { code = false } = {},
): Promise<string> {
  const [user] = await rows<{ generation: number }>(
    sql`SELECT device_generation AS generation FROM users WHERE id = ${userId}`,
  );
  const generation = user?.generation ?? 0;
  const device = readDevice(request) ?? { id: randomUUID(), users: [] };
  const others = device.users.filter((other) => other.userId !== userId).slice(1 - MOST_USERS);
  // A new password begins a new generation, which ends all devices except the one that set it.
  const hasShownCode =
    code || [generation, generation - 1].some((of) => hasShownCodeOf({ id: userId, generation: of }, device));
  const users = [...others, { userId, generation, at: seconds(), ...(hasShownCode && { hasShownCode }) }];
  const payload = Buffer.from(JSON.stringify({ id: device.id, users })).toString("base64url");
  const signature = signatureOf(payload, keyFor(PURPOSE)).toString("base64url");
  return setCookie(COOKIE, `${payload}.${signature}`, COOKIE_DAYS * 86_400);
}
