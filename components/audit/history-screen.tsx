import type { ComponentProps } from "react";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { titleize } from "@/lib/core/text/format";
import { RecordHistory } from "./record-history";

/** The history of a record; `kind` is its name in a sentence. `back` leads to the record, and is null for users who may not open it. */
export function HistoryScreen({
  kind,
  id,
  back,
  ...history
}: { kind: string; id: number; back: string | null } & ComponentProps<typeof RecordHistory>) {
  return (
    <>
      <PageTitle
        title={`History of ${titleize(kind)}`}
        id={id}
        actions={back && <LinkButton href={back}>Back to the {kind}</LinkButton>}
      />
      <RecordHistory {...history} />
    </>
  );
}
