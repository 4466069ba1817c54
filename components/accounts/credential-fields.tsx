import { TextField } from "@/components/ui/text-fields";

/** Email and password of a sign-in. `path` is their path in the form; the email of a known user cannot be changed. */
export function CredentialFields({ path = "", known = false }: { path?: string; known?: boolean }) {
  return (
    <>
      <TextField
        name={`${path}email`}
        label="Email"
        type="email"
        autoComplete="username"
        required={!known}
        readOnly={known}
      />
      <TextField
        name={`${path}password`}
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
    </>
  );
}
