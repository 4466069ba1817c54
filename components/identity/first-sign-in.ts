// The pages of a mailed link keep two things for the login page of the same tab: the email, and that the account is new.
// They use the tab's session storage, so that the email is in no URL. A browser may refuse storage.

const EMAIL = "lanternbook-email";
const NEW_ACCOUNT = "lanternbook-new-account";

function store(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // The user types the email.
  }
}

function take(key: string): string | null {
  try {
    const value = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return value;
  } catch {
    return null;
  }
}

/** Keeps the email of the account whose password was set, for the login page. */
export const keepEmail = (email: string): void => store(EMAIL, email);

/** Returns that email, once; null if there is none. */
export const takeEmail = (): string | null => take(EMAIL);

/** Keeps that the next sign-in is the first of an account. */
export const keepNewAccount = (): void => store(NEW_ACCOUNT, "true");

/** Returns true, once, if the sign-in is the first of an account that was activated in this tab. */
export const takeNewAccount = (): boolean => take(NEW_ACCOUNT) !== null;
