import "server-only";
import { AppError } from "@/lib/core/errors";

/** A record as read before a save: its version, and the user who saved that version. */
export type StoredVersion = { lockVersion: number; changedBy: string | null };

/** Throws 409 with the name of the user who saved since, if `version` is old. */
export function assertVersion({ lockVersion, changedBy }: StoredVersion, version: number | undefined): void {
  if (version !== undefined && version !== lockVersion)
    throw new AppError(
      "conflict_version",
      `This record was changed by ${changedBy ?? "another user"} since you opened it`,
    );
}
