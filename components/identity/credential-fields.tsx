import { useFormContext } from "react-hook-form";
import { TextField } from "@/components/ui/text-fields";
import { USER_LABELS } from "@/lib/identity/words";

/**
 * Email and password fields for signing in. `path` is their path in the form. The email of a known user is read-only, or only
 * for the browser's list of passwords.
 */
export function CredentialFields({ path = "", known }: { path?: string; known?: "shown" | "concealed" }) {
  const { getValues } = useFormContext();
  return (
    <>
      {known === "concealed" ? (
        <input type="email" autoComplete="username" value={getValues(`${path}email`)} readOnly hidden />
      ) : (
        <TextField
          name={`${path}email`}
          label={USER_LABELS.email}
          type="email"
          autoComplete="username"
          required={!known}
          readOnly={known !== undefined}
        />
      )}
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
