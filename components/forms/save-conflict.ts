import { storedClient } from "@/components/clients/stored-number";
import type { SavedRecord } from "@/components/forms/failure-alert";
import { describeWith } from "@/components/forms/fields";
import type { FormRecord } from "@/components/forms/use-form-record";
import { clientValues, formValues, rekeyed } from "@/components/forms/values";
import { type Conflict, readConflict } from "@/components/record/use-conflict";
import { call } from "@/lib/core/api/client";

/**
 * Reads the stored record and finds its differences from the typed values. Calls `onMerge` after the differences were
 * merged into the screen. Rejects if the record cannot be read.
 */
export async function readSaveConflict(
  record: FormRecord,
  changed: SavedRecord,
  onMerge: () => void,
): Promise<Conflict> {
  const id = changed === "client" ? record.form.getValues("clientId") : record.saved?.id;
  if (!id) throw new Error(`The ${changed} is not stored yet`);
  return changed === "client"
    ? readClientConflict(record, id, onMerge)
    : readFormConflict(record, id, onMerge);
}

function readClientConflict({ form, rules, base }: FormRecord, id: number, onMerge: () => void) {
  const { read, hidden } = storedClient(
    base.current.client.clientBiographicalEntry.phoneNumber,
    form.getValues("client.clientBiographicalEntry.phoneNumber"),
  );
  return readConflict({
    describe: describeWith(rules.codes),
    choices: rules.choices,
    prefix: "client",
    read: () => read(id),
    hidden,
    versions: (stored) => ({
      base: base.current.client,
      theirs: clientValues(stored),
      mine: form.getValues("client"),
    }),
    use(values, stored) {
      base.current = { ...base.current, client: clientValues(stored) };
      form.setValue("clientId", stored.id);
      form.setValue("client", values);
      onMerge();
    },
  });
}

function readFormConflict(
  { form, rules, base, codes, setSaved }: FormRecord,
  id: number,
  onMerge: () => void,
) {
  return readConflict({
    describe: describeWith(rules.codes),
    choices: rules.choices,
    prefix: "form",
    read: async () => (await call("GET /api/forms/{id}", { params: { id } })).form,
    versions: (stored) => ({
      base: rekeyed(base.current.form, stored),
      theirs: formValues(stored, rules.lists),
      mine: rekeyed(form.getValues("form"), stored),
    }),
    use(values, stored) {
      base.current = { ...base.current, form: formValues(stored, rules.lists) };
      setSaved(stored);
      form.setValue("form", values);
      void codes.load(values.formTypeId);
      onMerge();
    },
  });
}
