"use client";

import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/api/client";
import type { NamedItem } from "@/lib/auth/permissions";
import { haveOwners } from "@/lib/imports/columns";
import type { Import } from "@/lib/imports/schema";

/** Chooses the field of each column, where its heading did not match or matched wrongly, and starts the import or a dry run. */
export function ColumnMatches({
  item,
  owners,
  onStarted,
}: {
  item: Import;
  owners: NamedItem[];
  onStarted: (started: Import) => void;
}) {
  const [matches, setMatches] = useState(item.matches);
  const [ownerId, setOwnerId] = useState(String(item.ownerId ?? ""));
  const { messages, busy, run } = useFailure();
  const fields = item.fields.map(({ key, label, required }) => ({
    value: key,
    label: required ? `${label} *` : label,
  }));

  const start = (dryRun: boolean) =>
    run(async () => {
      const body = { import: { dryRun, matches, ownerId: ownerId === "" ? null : Number(ownerId) } };
      onStarted((await call("POST /api/imports/{id}/start", { params: { id: item.id }, body })).import);
    });

  return (
    <Section
      title="Columns"
      description="Choose the field that each column is for. The External Id, or else all that a row says, tells a row that was imported before. A dry run shows what would happen and changes nothing."
    >
      <ErrorAlert messages={messages} />
      <ul className="grid gap-3 md:grid-cols-2">
        {item.headings.map((heading, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their places
          <li key={at}>
            <Select
              label={heading || `Column ${at + 1}`}
              className="block"
              placeholder="-- Left out --"
              options={fields}
              value={matches[at] ?? ""}
              onChange={(key) => setMatches(matches.map((match, place) => (place === at ? key : match)))}
            />
          </li>
        ))}
      </ul>
      {haveOwners(item.fields) && (
        <Select
          label="Advocate of rows without an email"
          className="block max-w-96"
          placeholder="Myself"
          options={owners.map(({ id, name }) => ({ value: id, label: name }))}
          value={ownerId}
          onChange={setOwnerId}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={item.status === "waiting" ? "primary" : "secondary"}
          busy={busy}
          onClick={() => void start(true)}
        >
          Dry run
        </Button>
        <Button
          variant={item.status === "checked" ? "primary" : "secondary"}
          busy={busy}
          onClick={() => void start(false)}
        >
          Import {item.rows} {item.rows === 1 ? "row" : "rows"}
        </Button>
      </div>
    </Section>
  );
}
