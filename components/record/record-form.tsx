"use client";

import type { ReactNode } from "react";
import type { Resolver } from "react-hook-form";
import * as z from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { describeIn } from "@/components/record/field-at";
import { RecordFields } from "@/components/record/record-fields";
import { RecordFrame } from "@/components/record/record-frame";
import { askedValues, enteredFields, onWire, valuesOf } from "@/components/record/record-text";
import { type RecordScreen, screenOf } from "@/components/record/screens";
import { useRecordForm } from "@/components/record/use-record-form";
import { LockIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { schemaResolver } from "@/components/ui/resolver";
import { Section } from "@/components/ui/section";
import { call } from "@/lib/core/api/client";
import type { RecordDeclaration } from "@/lib/core/records/declaration";
import { capitalize } from "@/lib/core/text/format";
import type { RecordItem, RecordValues } from "@/lib/declared-records/api-schema";
import { closedMessage } from "@/lib/forms/words";
import { type RecordKey, records } from "@/lib/records/registry";

/** Returns the checks of a record's typed values, without those of fields that their boxes do not ask. */
export function recordResolver(
  declaration: RecordDeclaration,
): Resolver<RecordValues, unknown, RecordValues> {
  const resolver = schemaResolver<RecordValues, RecordValues>(declaration.schema);
  return (values, ...more) => resolver(askedValues(declaration, values), ...more);
}

type Props = {
  record: RecordItem;
  choices: Choices;
  /** The last closed day if the record can no longer be changed; otherwise null. */
  closed: string | null;
  /** The URL of the list as the user left it. */
  back: string;
};

/** The form of a stored record of any kind. */
export function RecordForm({ list, ...props }: Props & { list: RecordKey }) {
  const declaration = records[list];
  const { entity } = declaration;
  const params = { id: props.record.id };
  return (
    <DeclaredForm
      {...props}
      declaration={declaration}
      screen={screenOf(list)}
      read={async () => (await call(`GET /api/${list}/{id}`, { params }))[entity] ?? props.record}
      update={(body) => call(`PUT /api/${list}/{id}`, { params, body: onWire(declaration, body) })}
    />
  );
}

/** The form of a stored record, with these calls. */
export function DeclaredForm({
  declaration,
  screen: { prefilled, emptyWords, Below } = {},
  record,
  choices,
  closed,
  back,
  read,
  update,
  actions,
}: Props & {
  declaration: RecordDeclaration;
  screen?: RecordScreen;
  read: () => Promise<RecordItem>;
  update: (body: { [entity: string]: RecordValues }) => Promise<unknown>;
  /** More buttons. */
  actions?: ReactNode;
}) {
  const { entity, schema, words } = declaration;
  const state = useRecordForm({
    stored: record,
    back,
    entity,
    values: valuesOf(declaration, record),
    resolver: () => recordResolver(declaration),
  });
  const { form, base } = state;

  async function save(values: RecordValues) {
    const body = { [entity]: { ...values, lockVersion: base.lockVersion } };
    const saved = await state.save(() => update(body));
    if (saved) state.leave(`Updated ${words.record} successfully`, values);
  }

  const compare = () =>
    state.compare({
      prefix: entity,
      describe: describeIn(z.object({ [entity]: schema })),
      choices,
      read,
      versions: (stored) => ({
        base: valuesOf(declaration, base),
        theirs: valuesOf(declaration, stored),
        mine: askedValues(declaration, form.getValues()),
      }),
    });

  return (
    <RecordFrame
      state={state}
      back={back}
      frozen={closed !== null}
      actions={actions}
      onSave={save}
      onCompare={compare}
    >
      {closed && (
        <Notice title="Closed month">
          <p>
            <LockIcon /> {closedMessage(closed)}.
          </p>
        </Notice>
      )}
      <Section title={capitalize(words.record)} description={words.notice}>
        <RecordFields
          fields={enteredFields(declaration)}
          choices={choices}
          prefilled={prefilled?.(choices, record.userId)}
          emptyWords={emptyWords}
        />
      </Section>
      {Below && <Below record={record} />}
    </RecordFrame>
  );
}
