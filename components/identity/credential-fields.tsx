import { TextField } from "@/components/ui/text-fields";
import { USER_LABELS } from "@/lib/core/fields/words";

/** Email and password of a sign-in. `path` is their path in the form; the email of a known user cannot be changed. */
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
