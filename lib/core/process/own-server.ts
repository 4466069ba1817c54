import "server-only";

/**
 * The variable that says that our own server (lib/ops/start.ts) serves this process, or this build. next.config.mjs reads
 * it too.
 */
export const SERVER_VARIABLE = "LANTERNBOOK_SERVER";

/** False under `next start` and `next dev`, which lack what our server adds. */
export const isOwnServer = (): boolean => process.env[SERVER_VARIABLE] === "own";

/** The protections that `next start` lacks, one sentence each. */
export const MISSING_WITHOUT_OWN_SERVER = [
  "Responses have no security headers, such as the Content-Security-Policy.",
  "Connections, headers, and slow clients have no limits. Any host name is served.",
  "The address of a caller is not checked, so that limits per address do not hold.",
  "Nothing works in the background: no mail, imports, alarms, seals of the audit trail, or purges.",
  "Migrations, rights of the database role, and first accounts must exist already.",
  "Requests are not logged, and a restart interrupts them.",
];

/** Says at the start of `next start` that it is for development, and what it lacks. */
export function warnWithoutOwnServer(): void {
  if (isOwnServer()) return;
  console.warn(
    [
      "For development only. Use `npm start` for real data: this server lacks its protections.",
      ...MISSING_WITHOUT_OWN_SERVER,
    ].join("\n  "),
  );
}
