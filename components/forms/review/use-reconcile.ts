import { useRouter } from "next/navigation";
import type { Act, ActRecord } from "@/components/ui/acts";
import { useNotify } from "@/components/ui/notifications";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { counted } from "@/lib/core/text/format";
import { RECONCILE_MAX } from "@/lib/forms/review/limits";
import { formMessages } from "@/lib/forms/words";

const stateOf = (reconciled: boolean) => (reconciled ? "reconciled" : "unreconciled");

const formsAre = (count: number, is: string, are: string) =>
  `${counted(count, "form")} ${count === 1 ? is : are}`;

const recordOf = ({ id, client }: { id: number; client: NamedItem }): ActRecord => ({
  id,
  label: `Form ${id} of ${client.name}`,
});

type ReviewedForm = Parameters<typeof recordOf>[0] & {
  /** The version that the reviewer has read. If the form has another one by now, it is refused. */
  lockVersion?: number;
};

/**
 * Returns functions that reconcile or unreconcile forms and notify the user, with Undo. The caller refreshes the page.
 */
export function useReconcile() {
  const router = useRouter();
  const notify = useNotify();

  /**
   * Sends all records. Returns those that were changed and the ids that were refused. Notifies the user of refusals.
   */
  async function send(
    records: readonly ActRecord[],
    reconciled: boolean,
    { undo = false, lockVersions = {} }: { undo?: boolean; lockVersions?: Record<string, number> },
  ) {
    const changes: ActRecord[] = [];
    const refused: number[] = [];
    const state = stateOf(reconciled);
    const refusals: string[] = [];
    // Acts that are counted together may affect more forms than one call accepts.
    for (let at = 0; at < records.length; at += RECONCILE_MAX) {
      const byId = new Map(records.slice(at, at + RECONCILE_MAX).map((record) => [record.id, record]));
      const outcomes = await call("POST /api/forms/reconcile", {
        body: { ids: [...byId.keys()], reconciled, undo, lockVersions },
      });
      const recordWith = (id: number) => byId.get(id) ?? { id, label: `Form ${id}` };
      changes.push(...outcomes.changed.map(recordWith));
      refused.push(...outcomes.failed.map(({ id }) => id));
      refusals.push(...outcomes.failed.map(({ id, error }) => `${recordWith(id).label}: ${error}`));
    }
    if (refusals.length > 0)
      notify.error([`${counted(refusals.length, "form")} could not be ${state}.`, ...refusals]);
    else if (changes.length === 0)
      notify.success(`${formsAre(records.length, "was", "were")} already ${state}`);
    return { changes, refused };
  }

  const actOn = (records: readonly ActRecord[], reconciled: boolean): Act => ({
    kind: stateOf(reconciled),
    records,
    words: (count) =>
      count === 1 ? formMessages[stateOf(reconciled)] : `${counted(count, "form")} ${stateOf(reconciled)}`,
    async undo(records) {
      const { changes } = await send(records, !reconciled, { undo: true });
      if (changes.length > 0)
        notify.success(`Undone: ${formsAre(changes.length, "is", "are")} ${stateOf(!reconciled)} again`);
      router.refresh();
    },
  });

  return {
    /** Rejects with the reason if the form is refused. */
    async reconcileOne(form: ReviewedForm, reconciled: boolean) {
      const { id, lockVersion } = form;
      const body = { reconciled, ...(reconciled && { lockVersion }) };
      await call("POST /api/forms/{id}/reconcile", { params: { id }, body });
      notify.done(actOn([recordOf(form)], reconciled));
    },
    /** Reports the forms that are refused, each with the reason, and returns their ids. */
    async reconcileMany(forms: readonly ReviewedForm[], reconciled: boolean): Promise<number[]> {
      const read = forms.flatMap(({ id, lockVersion }) =>
        lockVersion === undefined ? [] : [[id, lockVersion]],
      );
      const lockVersions = Object.fromEntries(read);
      const { changes, refused } = await send(forms.map(recordOf), reconciled, { lockVersions });
      if (changes.length > 0) notify.done(actOn(changes, reconciled));
      return refused;
    },
  };
}
