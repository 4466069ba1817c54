import { TextField } from "@/components/ui/text-fields";
import { USER_LABELS } from "@/lib/identity/words";

/**
 * Email and password fields for signing in. `path` is their path in the form. The email of a known user is read-only.
 */
export function CredentialFields({ path = "", known = false }: { path?: string; known?: boolean }) {
  return (
    <>
      <TextField
        name={`${path}email`}
        label={USER_LABELS.email}
        type="email"
        autoComplete="username"
        required={!known}
        readOnly={known}
      />
      <TextField
        name={`${path}password`}
        label={USER_LABELS.password}
        type="password"
        autoComplete="current-password"
        required
      />
    </>
  );
}
