import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type JWK, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

// A real OpenID Connect provider on loopback, as an organization runs one. Its sign-in page accepts any
// password.

export type ProviderAccount = { email?: string; email_verified?: boolean };

export const CLIENT = { OIDC_CLIENT_ID: "lanternbook", OIDC_CLIENT_SECRET: "the secret of lanternbook" };
const KID = "key-1";

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

/** Starts a provider for a program at `appUrl`. `accounts` are the accounts it knows, by subject. */
export async function startProvider(
  appUrl: string,
  accounts: Map<string, ProviderAccount>,
  {
    port = 0,
    secretIn = "client_secret_basic",
  }: { port?: number; secretIn?: "client_secret_basic" | "client_secret_post" } = {},
) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk: JWK = { ...(privateKey.export({ format: "jwk" }) as JWK), kid: KID, use: "sig", alg: "RS256" };
  const server = createServer();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.OIDC_CLIENT_ID,
        client_secret: CLIENT.OIDC_CLIENT_SECRET,
        token_endpoint_auth_method: secretIn,
        redirect_uris: [`${appUrl}/api/oidc/callback`],
        backchannel_logout_uri: `${appUrl}/api/oidc/backchannel_logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ["loopback"] },
    claims: { openid: ["sub", "sid"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientAuthMethods: [secretIn],
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    ttl: { Session: 86_400, Interaction: 3_600, Grant: 86_400, AccessToken: 3_600, IdToken: 3_600 },
    findAccount: (_, subject) => {
      const account = accounts.get(subject);
      return account && { accountId: subject, claims: () => ({ sub: subject, ...account }) };
    },
    // The organization's own program may read the email without the user's consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  let tamper: ((idToken: string) => Promise<string>) | null = null;
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (tamper && context.path === "/token" && body?.id_token) body.id_token = await tamper(body.id_token);
  });
  server.on("request", provider.callback());

  return {
    issuer,
    /** Returns a token signed with the provider's own key, or with another key. */
    sign: (claims: JWTPayload, key = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KID }).sign(key),
    /** Changes the claims of ID tokens issued from now on. Null stops the changes. */
    forge(change: ((claims: JWTPayload) => JWTPayload) | null, key = privateKey) {
      tamper =
        change &&
        ((token) => {
          const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
          return new SignJWT(change(claims)).setProtectedHeader({ alg: "RS256", kid: KID }).sign(key);
        });
    },
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

/**
 * Acts as a browser at the provider: follows its pages from `url` as `subject` until they lead to `until`.
 */
export class ProviderBrowser {
  private readonly jar = new Map<string, string>();

  async walk(url: string, subject: string, until: string): Promise<string> {
    let at = url;
    for (let steps = 0; steps < 20; steps++) {
      let response = await this.get(at);
      if (response.status === 200) response = await this.submit(at, await response.text(), subject);
      const location = response.headers.get("location");
      if (!location) throw new Error(`${response.status} at ${at}: ${await response.text()}`);
      at = new URL(location, at).href;
      if (at.startsWith(until)) return at;
    }
    throw new Error(`Never led back: ${at}`);
  }

  private async get(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(set)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return response;
  }

  /** Fills in the form of the sign-in page, or consents if there is nothing to fill in. */
  private submit(at: string, html: string, subject: string): Promise<Response> {
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? "";
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? "login";
    const body = new URLSearchParams({
      prompt,
      ...(prompt === "login" && { login: subject, password: "x" }),
    });
    return this.get(new URL(action, at).href, { method: "POST", body });
  }
}
