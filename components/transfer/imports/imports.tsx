"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { ImportView } from "@/components/transfer/imports/import-view";
import { STATUS_WORDS } from "@/components/transfer/imports/words";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, SelectOptions } from "@/components/ui/controls";
import { LineForm } from "@/components/ui/form-body";
import { Link } from "@/components/ui/link";
import { Labeled } from "@/components/ui/plain-inputs";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call, saveFile } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { csvText } from "@/lib/core/text/csv";
import { counted } from "@/lib/core/text/format";
import type { Import, ImportItem } from "@/lib/transfer/imports/schema";
import { type ImportKind, kindTitle } from "@/lib/transfer/imports/words";

/** An import with its start time, in the server's time zone. */
type Listed = ImportItem & { begun: string };

type Kinds = { value: ImportKind; label: string; headings: string[] }[];

/** Uploads a file, or shows the chosen import, above the list of all imports. */
export function Imports({
  imports,
  shown,
  owners,
  kinds,
}: {
  imports: Listed[];
  shown: Import | null;
  owners: NamedItem[];
  kinds: Kinds;
}) {
  return (
    <div className="stack">
      {shown ? <ImportView first={shown} owners={owners} /> : <Upload kinds={kinds} />}
      <Section title="Previous imports">
        {imports.length === 0 ? (
          <p className="text-muted">No imports yet.</p>
        ) : (
          <ul className="-my-2 divide-y divide-line">
            {imports.map((item) => (
              <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
                <Link
                  href={`${to("imports")}?id=${item.id}`}
                  className="link inline-flex min-h-control items-center"
                >
                  <span className="wrap-anywhere">
                    {[kindTitle(item.kind), item.fileName, item.begun].filter(Boolean).join(", ")}
                  </span>
                </Link>
                <span className="text-muted text-sm">
                  {item.status === "waiting"
                    ? `Not imported yet, ${counted(item.rows, "row")}`
                    : `${STATUS_WORDS[item.status]}, ${item.created} ${item.status === "checked" ? "would be imported" : "imported"} from ${counted(item.rows, "row")}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

/** A form to choose the kind of records and upload a file. */
function Upload({ kinds }: { kinds: Kinds }) {
  const router = useRouter();
  const [kind, setKind] = useState(kinds[0]?.value);
  const [file, setFile] = useState<File | null>(null);
  const { messages, busy, run } = useFailure();
  const [leaving, startLeaving] = useTransition();

  if (!kind)
    return <p>To import records, you also need the permission for those records, such as Clients.</p>;
  const send = () =>
    run(async () => {
      if (!file) return;
      const { import: made } = await call("POST /api/imports", {
        query: { kind },
        file,
        fileName: encodeURIComponent(file.name),
      });
      startLeaving(() => router.push(`${to("imports")}?id=${made.id}`));
    });

  const saveTemplate = () => {
    const headings = kinds.find(({ value }) => value === kind)?.headings ?? [];
    saveFile(new Blob([csvText([headings])], { type: "text/csv" }), `${kind}.csv`);
  };

  return (
    <Section
      title="Import a file"
      description="CSV (UTF-8) or XLSX, at most 100 MB, with a row of headings. Take your sheet as it is: you check its columns and values before anything is imported."
      actions={
        <Button size="sm" onClick={saveTemplate}>
          Download a template
        </Button>
      }
    >
      <ErrorAlert messages={messages} />
      <LineForm busy={busy || leaving} onSubmit={() => void send()}>
        <Labeled label="Records">
          <select
            className="control sm:min-w-48"
            value={kind}
            onChange={({ target }) => setKind(kinds.find(({ value }) => value === target.value)?.value)}
          >
            <SelectOptions options={kinds} placeholder={null} />
          </select>
        </Labeled>
        <Labeled label="File">
          <input
            type="file"
            accept=".csv,.xlsx,text/csv"
            className="control max-w-full"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        </Labeled>
        <Button type="submit" variant="primary" busy={busy || leaving} disabled={!file}>
          Upload the file
        </Button>
      </LineForm>
    </Section>
  );
}
