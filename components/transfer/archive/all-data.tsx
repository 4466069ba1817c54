"use client";

import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { download } from "@/lib/core/api/client";

/** Explains what an archive of all data contains, and downloads it. */
export function AllData({ lacked }: { lacked: string[] }) {
  const { messages, busy, run } = useFailure();

  return (
    <Section title="Download all data" description="One file to keep, share, or move to another program.">
      <ul className="list-disc space-y-1 pl-5">
        <li>
          It contains all clients and forms you can see, the settings lists, users and roles, submitted
          reports, and the Audit Log.
        </li>
        <li>It does not contain drafts, passwords, tokens, or keys.</li>
        <li>
          It is a zip file with one CSV file for each table and a description, <code>datapackage.json</code>,
          that other programs can read (a Data Package).
        </li>
      </ul>
      <p>
        <strong>
          It contains names, addresses, and details of what happened to people. Anyone who has the file can
          read them.
        </strong>{" "}
        Keep it on an encrypted disk, do not email it, and delete it when it is no longer needed. Text that a
        spreadsheet would run as a formula starts with an apostrophe. The download is recorded in the Audit
        Log.
      </p>
      {lacked.length > 0 ? (
        <p role="note">This requires all permissions. You do not have {lacked.join(", ")}.</p>
      ) : (
        <>
          <ErrorAlert messages={messages} />
          <div className="form-actions">
            <Button variant="primary" busy={busy} onClick={() => run(() => download("/api/archive.zip"))}>
              Download all data
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}
