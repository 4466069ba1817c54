"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import * as z from "zod/mini";
import { describeIn, factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { RecordFrame } from "@/components/record/record-frame";
import { useRecordForm } from "@/components/record/use-record-form";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";
import { blanksOf } from "@/lib/core/fields/shapes";
import { to } from "@/lib/core/pages";
import type { Group } from "@/lib/groups/api-schema";
import { groupSchema } from "@/lib/groups/schema";
import { groupMessages } from "@/lib/groups/words";
import type { UserOption } from "@/lib/lookups/resources/schema";

type Values = Record<string, unknown>;

/** Creates one group, and never two. */
const groupCreation = () =>
  creation({
    create: async (body: { group: Values }, options) =>
      (await call("POST /api/groups", { ...options, body: { group: groupSchema.parse(body.group) } })).group,
    update: async ({ id }, body, options) =>
      (
        await call("PUT /api/groups/{id}", {
          ...options,
          params: { id },
          body: { group: groupSchema.parse(body.group) },
        })
      ).group,
  });

/** Returns the values that the form of a group has. */
const valuesOf = ({ name, formTypeId, serviceCodeId, usualMinutes, leaderIds, closedOn }: Group): Values => ({
  name,
  formTypeId,
  serviceCodeId,
  usualMinutes,
  leaderIds,
  closedOn,
});

const describeGroup = describeIn(z.object({ group: groupSchema }));

type GroupChoices = {
  users: UserOption[];
  /** A type that does not fit requires values that a session does not have. */
  formTypes: (NamedItem & { fits: boolean })[];
  codes: (NamedItem & { formTypeIds: number[] })[];
};

/** The form of a group; its roster is on the group's page. */
export function GroupForm({
  group,
  userId,
  choices: { users, formTypes: allTypes, codes },
  back,
}: {
  /** Null for a new group. */
  group: Group | null;
  userId: number;
  choices: GroupChoices;
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [create] = useState(groupCreation);
  const [isRemoving, setRemoving] = useState(false);
  const formTypes = allTypes.filter(({ id, fits }) => fits || id === group?.formTypeId);
  const first = codes.find(({ formTypeIds }) => formTypes.some(({ id }) => formTypeIds.includes(id)));
  const blank: Values = {
    ...blanksOf(groupSchema),
    name: "",
    usualMinutes: null,
    closedOn: null,
    leaderIds: [userId],
    serviceCodeId: null,
    formTypeId: formTypes.find(({ id }) => first?.formTypeIds.includes(id))?.id ?? null,
  };
  const state = useRecordForm<Group | null, Values, Values>({
    stored: group,
    back,
    entity: "group",
    values: group ? valuesOf(group) : blank,
    resolver: () => schemaResolver<Values, Values>(groupSchema),
  });
  const { form, base } = state;
  const typeId = form.watch("formTypeId");
  const lists = {
    form_types: formTypes,
    service_codes: codes.filter(
      ({ formTypeIds }) => typeof typeId !== "number" || formTypeIds.includes(typeId),
    ),
    users: users.filter(({ id, active }) => active || group?.leaderIds.includes(id)),
  };
  const field = (name: string) => (
    <FieldControl facts={factsAt(groupSchema, name)} name={name} choices={lists} />
  );

  async function save(values: Values) {
    const saved = await state.save(() =>
      group
        ? call("PUT /api/groups/{id}", {
            params: { id: group.id },
            body: { group: { ...groupSchema.parse(values), lockVersion: base?.lockVersion } },
          }).then(({ group }) => group)
        : create({ group: values }),
    );
    if (!saved) return;
    if (group) return state.leave(groupMessages.updated, values);
    form.reset(values);
    notify.success(groupMessages.created);
    router.push(to("groupsShow", { id: saved.result.id }));
    router.refresh();
  }

  const compare = (before: Group) =>
    state.compare({
      prefix: "group",
      describe: describeGroup,
      choices: lists,
      read: async () => (await call("GET /api/groups/{id}", { params: { id: before.id } })).group,
      versions: (stored) => ({
        base: valuesOf(base ?? before),
        theirs: valuesOf(stored),
        mine: form.getValues(),
      }),
    });

  async function remove() {
    if (!group) return;
    await call("DELETE /api/groups/{id}", { params: { id: group.id } });
    notify.success(groupMessages.removed);
    router.push(to("groupsList"));
    router.refresh();
  }

  return (
    <>
      <RecordFrame
        state={state}
        back={back}
        isNew={!group}
        onSave={save}
        onCompare={group ? () => compare(group) : undefined}
        actions={
          group && (
            <Button className="mr-auto text-danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      >
        <Section title="Group" description="Leaders see the group, its roster, and its sessions.">
          <FieldGrid>
            {field("name")}
            {field("usualMinutes")}
            {field("formTypeId")}
            {field("serviceCodeId")}
            {field("closedOn")}
          </FieldGrid>
          {field("leaderIds")}
        </Section>
      </RecordFrame>
      <ConfirmDelete
        label={group ? `group ${group.id}` : ""}
        open={isRemoving}
        onClose={() => setRemoving(false)}
        onDelete={remove}
      />
    </>
  );
}
