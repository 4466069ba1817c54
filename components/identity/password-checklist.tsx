import { AlertIcon, CheckIcon, CloseIcon } from "@/components/ui/icons";
import { isConfirmed, PASSWORD_RULES, type PasswordOwner } from "@/lib/core/passwords/rules";
import { useGuessable } from "./use-guessable";

/** The password rules that the server sends to a page with a new-password field. */
export type PasswordPolicy = {
  /** Null if the link does not identify the user. */
  owner: PasswordOwner | null;
  /** True if a common password is rejected instead of only warned about. */
  refuseCommon: boolean;
};

/** The live checklist of a new password, and below it a warning if the password is easy to guess. */
export function PasswordChecklist({
  password,
  confirmation,
  policy: { owner, refuseCommon },
}: {
  password: string;
  confirmation: string;
  policy: PasswordPolicy;
}) {
  const message = useGuessable(password, owner);
  const items = [
    { label: "Is required", met: password !== "" },
    ...PASSWORD_RULES.map(({ label, met }) => ({ label, met: met(password) })),
    { label: "Need to match", met: password !== "" && isConfirmed(password, confirmation) },
    ...(refuseCommon ? [{ label: "Not a common password", met: password !== "" && message === null }] : []),
  ];
  return (
    <div>
      <div className="rounded-lg border border-transparent bg-subtle px-4 py-3">
        <p className="mb-2">Your password must meet all requirements to continue.</p>
        <ul className="flex flex-col gap-1">
          {items.map(({ label, met }) => (
            <li key={label} className={`flex items-center gap-2 ${met ? "text-success" : "text-muted"}`}>
              {met ? <CheckIcon /> : <CloseIcon />}
              <span className="sr-only">{met ? "Met: " : "Not met: "}</span>
              {label}
            </li>
          ))}
        </ul>
      </div>
      <Warning message={message} />
    </div>
  );
}

/** Warns that a password is easy to guess, without blocking anything. */
export function PasswordWarning({ password, owner }: { password: string; owner: PasswordOwner | null }) {
  return <Warning message={useGuessable(password, owner)} />;
}

function Warning({ message }: { message: string | null | undefined }) {
  return (
    <div role="status">
      {message && (
        <p className="mt-2 flex items-start gap-1.5 text-sm text-warning">
          <span className="pt-0.5">
            <AlertIcon />
          </span>
          {message}
        </p>
      )}
    </div>
  );
}
