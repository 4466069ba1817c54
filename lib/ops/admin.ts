import { email } from "@/lib/core/fields/validation";
import { PlainError } from "@/lib/core/process/plain-error";
import { runCommand } from "@/lib/ops/command";
import { runningEnvironment } from "@/lib/ops/running";

// `npm run admin -- someone@example.org` makes that account an administrator, for when none is left. It prints the link
// that sets the password. The program continues to run.

async function admin([argument]: string[]): Promise<void> {
  const address = email().safeParse(argument);
  if (!address.success) throw new PlainError("Usage: npm run admin -- someone@example.org");
  const { APP_URL } = await runningEnvironment();

  const { makeAdministrator } = await import("@/lib/identity/administrators");
  const { passwordWorks } = await import("@/lib/identity/sign-on/settings");
  const { closeDatabase } = await import("@/lib/core/database/client");
  try {
    const token = await makeAdministrator(address.data);
    if (passwordWorks(address.data)) {
      console.log(`${address.data} is an administrator. To set a password, within 1 hour:`);
      console.log(`${APP_URL}/update_password/${token}`);
    } else {
      console.log(`${address.data} is an administrator. Single sign-on is the only way to sign in here.`);
      console.log("To allow a password too, set OIDC_BREAK_GLASS to this email and restart the server.");
    }
  } finally {
    await closeDatabase();
  }
}

await runCommand(admin);
