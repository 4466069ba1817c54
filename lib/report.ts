import "server-only";

/**
 * Notes a failure nobody foresaw. The message stays out: database and validation errors quote the values they
 * failed on, and a survivor's name must not reach a log.
 */
export function report(error: unknown, requestId: string): void {
  const { name, code, stack } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const frames = stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  console.error(JSON.stringify({ level: "error", requestId, name: name ?? typeof error, code, frames }));
}
