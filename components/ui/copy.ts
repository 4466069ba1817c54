/**
 * Copies text to the clipboard and returns true on success. Browsers offer the clipboard only on https and localhost,
 * and the user may have denied it.
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
