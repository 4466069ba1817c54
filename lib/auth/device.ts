import "server-only";
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ApiRequest } from "@/lib/api/request";
import { readCookie, setCookie } from "@/lib/auth/cookies";
import { rows } from "@/lib/database/client";
import { keyFor, keysFor } from "@/lib/server/cipher";

/**
 * A browser that has signed users in before (contract §8): its failures are counted apart from everyone else's, so that
 * strangers cannot lock these users out of it. A signed cookie names them, each with the generation of their devices;
 * the account moves on to the next generation when they sign out everywhere, choose a new password or are deactivated.
 */
const DAYS = 90;
const COOKIE = "casebook-device";
const PURPOSE = "device cookie";
/** The most users of one browser, so that the cookie stays small. */
const MOST_USERS = 20;

const known = z.object({ userId: z.int(), generation: z.int(), at: z.int() });
const schema = z.object({ id: z.uuid(), users: z.array(known) });
type Device = z.output<typeof schema>;
export type DeviceOwner = { id: number; generation: number };

const seconds = () => Math.floor(Date.now() / 1000);

const signatureOf = (payload: string, key: Buffer) => createHmac("sha256", key).update(payload).digest();

const isSignedWith = (payload: string, given: Buffer, key: Buffer) => {
  const expected = signatureOf(payload, key);
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** The request's device; null without a cookie of our own making. */
export function readDevice(request: ApiRequest): Device | null {
  const [payload = "", signature = ""] = readCookie(request, COOKIE)?.split(".") ?? [];
  const given = Buffer.from(signature, "base64url");
  if (!keysFor(PURPOSE).some((key) => isSignedWith(payload, given, key))) return null;
  const { data: device } = schema.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  if (!device) return null;
  const oldest = seconds() - DAYS * 86_400;
  return { ...device, users: device.users.filter(({ at }) => at > oldest) };
}

/** Whether the device has signed this user in, and nothing has ended that since. */
export const isKnownTo = ({ id, generation }: DeviceOwner, device: Device | null): device is Device =>
  device?.users.some((user) => user.userId === id && user.generation === generation) ?? false;

/** The `Set-Cookie` header that makes the browser one that has signed this user in. */
export async function rememberDevice(request: ApiRequest, userId: number): Promise<string> {
  const [user] = await rows<{ generation: number }>(
    "SELECT device_generation AS generation FROM users WHERE id = $1",
    [userId],
  );
  const device = readDevice(request) ?? { id: randomUUID(), users: [] };
  const others = device.users.filter((other) => other.userId !== userId).slice(1 - MOST_USERS);
  const users = [...others, { userId, generation: user?.generation ?? 0, at: seconds() }];
  const payload = Buffer.from(JSON.stringify({ id: device.id, users })).toString("base64url");
  const signature = signatureOf(payload, keyFor(PURPOSE)).toString("base64url");
  return setCookie(COOKIE, `${payload}.${signature}`, DAYS * 86_400);
}
