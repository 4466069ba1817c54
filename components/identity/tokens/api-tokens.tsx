"use client";

import { useState } from "react";
import { ActionButton } from "@/components/ui/action-button";
import { Button } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { date } from "@/lib/core/text/format";
import type { ApiToken } from "@/lib/identity/tokens/api-schema";
import { NewToken } from "./new-token";
import { ShownToken } from "./shown-token";

/** The user's tokens with their permissions and addresses, a form for a new one, and a button to revoke each. */
export function ApiTokens({
  tokens,
  permissions,
  today,
}: {
  tokens: ApiToken[];
  /** The permissions that the user has and can give to a token. */
  permissions: NamedItem[];
  /** Today in the organization's time zone, `YYYY-MM-DD`. */
  today: string;
}) {
  const [making, setMaking] = useState(false);
  const [newToken, setNewToken] = useState<{ name: string; token: string } | null>(null);
  return (
    <Section
      title="Tokens for programs"
      description={
        <>
          A program that uses a token acts as you, limited to the permissions you give it.{" "}
          <Link className="link touch-link" href={to("apiDocs")}>
            API documentation
          </Link>
        </>
      }
      actions={
        !making && (
          <Button size="sm" onClick={() => setMaking(true)}>
            New token
          </Button>
        )
      }
    >
      {newToken && <ShownToken {...newToken} onClose={() => setNewToken(null)} />}
      {making && (
        <NewToken
          permissions={permissions}
          today={today}
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setNewToken(token);
            setMaking(false);
          }}
        />
      )}
      {tokens.length === 0 ? (
        <p className="text-muted">No tokens yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} today={today} />
          ))}
        </ul>
      )}
      <p className="text-muted text-sm">
        Tokens also end when you sign out all other sessions, when your password or email changes, and when
        your account is deactivated.
      </p>
    </Section>
  );
}

function TokenRow({ token, today }: { token: ApiToken; today: string }) {
  const { id, name, expiresOn, permissions, addresses, lastUsedOn } = token;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm wrap-anywhere">
          {permissions.map(({ name }) => name).join(", ")}
          {addresses.length > 0 && ` · from ${addresses.join(", ")}`}
        </p>
        <p className="text-muted text-sm">
          {expiresOn < today ? `Expired on ${date(expiresOn)}` : `Valid through ${date(expiresOn)}`} ·{" "}
          {lastUsedOn ? `last used on ${date(lastUsedOn)}` : "never used"}
        </p>
      </div>
      <ActionButton
        label={`Revoke the token ${name}`}
        action={() => call("DELETE /api/api_tokens/{id}", { params: { id } })}
        done={`Revoked the token ${name}`}
      >
        Revoke
      </ActionButton>
    </li>
  );
}
