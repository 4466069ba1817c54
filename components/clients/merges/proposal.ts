import * as z from "zod/mini";
import { choicesOf, screenText } from "@/components/record/choices";
import { type Difference, differences } from "@/components/record/differences";
import { describeIn, fieldAt } from "@/components/record/field-at";
import { sentencesOf } from "@/lib/audit/change-words";
import type { ChangeSentence } from "@/lib/audit/sentences";
import type { Client } from "@/lib/clients/api-schema";
import {
  type Biographical,
  biographical,
  type ClientInput,
  clientSchema,
  demographic,
} from "@/lib/clients/schema";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { blanksOf } from "@/lib/core/fields/shapes";
import type { FormLists } from "@/lib/lookups/schema";

// Proposes which values to keep when two records of one client are merged.

const RECORD = z.object({ client: clientSchema });

/** All values of a client; missing parts are blank. */
const valuesOf = (client: Client): Required<ClientInput> => ({
  name: client.name,
  significantOther: client.significantOther,
  relationshipToSurvivor: client.relationshipToSurvivor,
  verbalConfirmation: client.verbalConfirmation,
  lockVersion: client.lockVersion,
  custom: client.custom,
  clientBiographicalEntry: client.clientBiographicalEntry ?? blanksOf(biographical.schema),
  clientDemographicEntry: client.clientDemographicEntry ?? blanksOf(demographic.schema),
});

/**
 * Returns the two records as versions of one, with the fields in which they differ. The record that remains is the
 * stored one (`theirs`), with its ids and its version.
 */
export function compared(client: Client, other: Client, lists: FormLists) {
  const versions = { base: valuesOf(other), theirs: valuesOf(client), mine: valuesOf(other) };
  const record = { prefix: "client", describe: describeIn(RECORD), choices: choicesOf(lists) };
  return { record, versions, found: differences(versions, record) };
}

/** True if a value is blank or the default: then the other record's value is proposed. */
const isBlank = (facts: FieldFacts | undefined, value: unknown) =>
  !value || (facts?.kind === "choice" && value === facts.blank);

/** The names of the fields for which this record's value is proposed. */
export function proposed(found: readonly Difference[]): ReadonlySet<string> {
  const names = new Set(
    found
      .filter(({ name, fields: [field] }) => !isBlank(fieldAt(RECORD, name).facts, field?.theirs))
      .map(({ name }) => name),
  );
  // Safe to call belongs to the phone number. If both records have the same number, the safer answer is proposed.
  const [phone, safe] = (["phoneNumber", "safeToCall"] satisfies (keyof Biographical)[]).map((field) =>
    found.find(({ name }) => name === `client.clientBiographicalEntry.${field}`),
  );
  if (safe && (phone ? names.has(phone.name) : !safe.fields[0]?.theirs)) names.add(safe.name);
  else if (safe) names.delete(safe.name);
  return names;
}

/** Describes the changes of a merge in the remaining client. `kept` are the fields whose values stay. */
export const mergeSentences = (
  found: readonly Difference[],
  kept: ReadonlySet<string>,
  lists: FormLists,
): ChangeSentence[] => {
  const choices = choicesOf(lists);
  return sentencesOf(
    clientSchema,
    found.flatMap(({ name, fields }) =>
      kept.has(name) ? [] : fields.map(({ theirs, mine }) => ({ field: name, from: theirs, to: mine })),
    ),
    {
      valueText: (facts, value) => (facts ? screenText(facts, value, choices) : ""),
      readable: true,
      whole: false,
    },
  );
};
