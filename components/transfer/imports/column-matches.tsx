"use client";

import { useState } from "react";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { counted } from "@/lib/core/fields/format";
import { haveOwners } from "@/lib/transfer/imports/columns";
import type { Import } from "@/lib/transfer/imports/schema";

/** Lets the user choose a field for each column and start the import or a dry run. */
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
  const ownerNow = ownerId === "" ? null : Number(ownerId);
  const isTried =
    item.status === "checked" && ownerNow === item.ownerId && matches.join("\n") === item.matches.join("\n");
  const leftOut = item.headings.flatMap((heading, at) => {
    const count = item.values[at] ?? 0;
    return matches[at] || count === 0
      ? []
      : [`${heading || `Column ${at + 1}`} (${counted(count, "value")})`];
  });
  const fields = item.fields.map(({ key, label, required }) => ({
    value: key,
    label: required ? `${label} *` : label,
  }));

  const start = (dryRun: boolean) =>
    run(async () => {
      const body = { import: { dryRun, matches, ownerId: ownerNow } };
      onStarted((await call("POST /api/imports/{id}/start", { params: { id: item.id }, body })).import);
    });

  return (
    <Section
      title="Columns"
      description="Choose a field for each column. Rows that were imported before are skipped. A dry run shows what would happen and changes nothing."
    >
      <ErrorAlert messages={messages} />
      <ul className="grid gap-3 md:grid-cols-2">
        {item.headings.map((heading, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their places
          <li key={at}>
            <Select
              label={heading || `Column ${at + 1}`}
              className="block"
              placeholder="-- Do not import --"
              options={fields}
              value={matches[at] ?? ""}
              onChange={(key) => setMatches(matches.map((match, place) => (place === at ? key : match)))}
            />
          </li>
        ))}
      </ul>
      {haveOwners(item.fields) && (
        <Select
          label={`Give ${item.kind === "clients" ? "these clients" : "these records"} to`}
          className="block max-w-96"
          placeholder="Myself"
          options={owners.map(({ id, name }) => ({ value: id, label: name }))}
          value={ownerId}
          onChange={setOwnerId}
        />
      )}
      {leftOut.length > 0 && <p className="wrap-anywhere">Not imported: {leftOut.join(", ")}.</p>}
      {!isTried && <p className="text-muted">Do a dry run with these columns first. Then you can import.</p>}
      <div className="flex flex-wrap gap-3">
        <Button variant={isTried ? "secondary" : "primary"} busy={busy} onClick={() => void start(true)}>
          Dry run
        </Button>
        <Button
          variant={isTried ? "primary" : "secondary"}
          disabled={!isTried}
          busy={busy}
          onClick={() => void start(false)}
        >
          Import {counted(item.rows, "row")}
        </Button>
      </div>
    </Section>
  );
}
