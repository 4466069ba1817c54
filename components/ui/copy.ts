/**
 * Puts text into the clipboard, and answers whether that worked. Browsers offer the clipboard to https and localhost
 * only, and their user may have denied it.
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
