"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useFormContext } from "react-hook-form";
import { SimilarClients } from "@/components/clients/similar-clients";
import { ClientPicker } from "@/components/forms/client-picker";
import { sessionComparison } from "@/components/groups/session-comparison";
import {
  absentPerson,
  type Person,
  peopleNames,
  type SessionData,
  sessionValues,
  type Values,
  valuesOf,
  withNames,
} from "@/components/groups/session-values";
import { factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { RecordFrame } from "@/components/record/record-frame";
import { useRecordForm } from "@/components/record/use-record-form";
import { CheckboxField } from "@/components/ui/choice-fields";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button, LinkButton } from "@/components/ui/controls";
import { LockIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import { useShortcut } from "@/components/ui/shortcuts";
import { NumberField } from "@/components/ui/text-fields";
import { clientCreation } from "@/lib/clients/creation";
import type { Namesake } from "@/lib/clients/hits";
import { clientSchema } from "@/lib/clients/schema";
import { ApiError, type BodyOf, call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";
import { toWire } from "@/lib/core/fields/wire";
import { to } from "@/lib/core/pages";
import { counted, date, duration, parseMinutes } from "@/lib/core/text/format";
import { closedMessage } from "@/lib/forms/words";
import type { GroupSession } from "@/lib/groups/api-schema";
import { sessionInput, sessionSchema } from "@/lib/groups/schema";
import { groupMessages, NOT_COUNTED } from "@/lib/groups/words";

/** Returns what is removed together with a session. */
function removedWords({ attendances, leaders }: GroupSession): string {
  const minutes = `the minutes of ${counted(leaders.length, "leader")} in My Time`;
  if (attendances.length === 0) return `This also removes ${minutes}.`;
  const names = attendances.map(({ client }) => client.name).join(", ");
  return `This also removes ${counted(attendances.length, "form")} (${names}) and ${minutes}.`;
}

/**
 * Returns the leaders as sent; undefined if a stored session keeps them. A leader of the group who did not lead the
 * session cannot send its leaders, but can add someone who was forgotten.
 */
function changedLeaders({ leaders, minutes }: Values, stored: GroupSession | null) {
  const sent = leaders
    .filter(({ leads }) => leads)
    .map((row) => ({ id: row.id, userId: row.userId, minutes: row.minutes ?? minutes ?? 0 }));
  const isKept =
    stored?.leaders.length === sent.length &&
    sent.every((row) =>
      stored.leaders.some(({ userId, minutes }) => userId === row.userId && minutes === row.minutes),
    );
  return isKept ? undefined : sent;
}

type Body = BodyOf<"POST /api/groups/{id}/sessions">;

/** Records one session, and never two. */
const sessionCreation = (groupId: number) =>
  creation({
    create: (body: Body, options) =>
      call("POST /api/groups/{id}/sessions", { ...options, params: { id: groupId }, body }),
    update: ({ groupSession: { id } }, body, options) =>
      call("PUT /api/groups/{id}/sessions/{sessionId}", {
        ...options,
        params: { id: groupId, sessionId: id },
        body,
      }),
  });

/** The form of a session. A person is ticked with one key, and everyone with one. */
export function SessionForm({
  closedThrough,
  back,
  ...data
}: SessionData & { closedThrough: string | null; back: string }) {
  const { group, session } = data;
  const router = useRouter();
  const notify = useNotify();
  const [create] = useState(() => sessionCreation(group.id));
  const [createClients] = useState(() => new Map<string, ReturnType<typeof clientCreation>>());
  const [isRemoving, setRemoving] = useState(false);
  const state = useRecordForm<GroupSession | null, Values, Values>({
    stored: session,
    back,
    entity: "groupSession",
    values: valuesOf(data),
    resolver: () => schemaResolver<Values, Values>(sessionValues as never),
  });
  const { form, base } = state;
  const isClosed = session !== null && closedThrough !== null && session.heldOn <= closedThrough;

  /** Returns the ids of the people who came. Records of new clients are made now, each once. */
  async function clientIds({ people, heldOn }: Values): Promise<number[]> {
    const isNew = people.some(({ clientId, attends }) => attends && clientId === null);
    // A refused session must not leave a new client behind.
    if (isNew) {
      const { closedThrough: through } = await call("GET /api/closed_periods");
      if (through !== null && heldOn <= through)
        throw new ApiError(409, "period_closed", [closedMessage(through)]);
    }
    const ids: number[] = [];
    for (const [at, { clientId, name, attends }] of people.entries()) {
      if (!attends) continue;
      if (clientId !== null) {
        ids.push(clientId);
        continue;
      }
      const createClient = createClients.get(name) ?? clientCreation();
      createClients.set(name, createClient);
      const { client } = await createClient({
        client: toWire(clientSchema, { name, verbalConfirmation: false }),
      });
      form.setValue(`people.${at}.clientId`, client.id);
      ids.push(client.id);
    }
    return ids;
  }

  async function save(given: Values) {
    const saved = await state.save(async () => {
      const ids = await clientIds(given);
      const present = given.people.filter(({ attends }) => attends);
      const groupSession = toWire(sessionInput, {
        heldOn: given.heldOn,
        minutes: given.minutes ?? 0,
        unnamed: given.unnamed,
        lockVersion: base?.lockVersion,
        leaders: changedLeaders(given, base),
        attendances: present.map(({ attendanceId, minutes }, at) => ({
          id: attendanceId,
          clientId: ids[at],
          minutes,
        })),
      });
      const params = { id: group.id, sessionId: session?.id ?? 0 };
      const sent = session
        ? call("PUT /api/groups/{id}/sessions/{sessionId}", { params, body: { groupSession } })
        : create({ groupSession });
      return sent.catch((error) => {
        throw withNames(error, present, given.people);
      });
    });
    if (saved) state.leave(session ? groupMessages.sessionUpdated : groupMessages.sessionCreated, given);
  }

  const compare = (before: GroupSession) => {
    const comparison = sessionComparison(data);
    return state.compareAs({
      prefix: "groupSession",
      describe: comparison.describe,
      choices: {},
      read: () => comparison.read(before.id),
      versions: (stored) => comparison.versions({ base: base ?? before, stored, typed: form.getValues() }),
      use: (chosen, stored) => state.rebase(comparison.valuesOf(chosen, form.getValues(), stored), stored),
    });
  };

  async function remove() {
    if (!session) return;
    await call("DELETE /api/groups/{id}/sessions/{sessionId}", {
      params: { id: group.id, sessionId: session.id },
    });
    notify.success(groupMessages.sessionRemoved);
    router.push(back);
    router.refresh();
  }

  const field = (name: string) => (
    <FieldControl facts={factsAt(sessionSchema, name)} name={name} choices={{}} />
  );
  return (
    <>
      <RecordFrame
        state={state}
        back={back}
        isNew={!session}
        frozen={isClosed}
        begins="field-people-0-attends"
        onSave={save}
        onCompare={session ? () => compare(session) : undefined}
        actions={
          session &&
          !isClosed && (
            <Button className="mr-auto text-danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      >
        {isClosed && (
          <Notice title="Closed month">
            <p>
              <LockIcon /> {closedMessage(closedThrough)}.
            </p>
          </Notice>
        )}
        <Section title="Session">
          <FieldGrid columns={3}>
            {field("heldOn")}
            {field("minutes")}
          </FieldGrid>
        </Section>
        <People isClosed={isClosed} />
        <Section
          title="Leaders"
          description="My Time of each leader has these minutes, once for the session."
        >
          <Leaders />
        </Section>
      </RecordFrame>
      <ConfirmDelete
        label={session ? `the session of ${date(session.heldOn)}` : ""}
        details={base && removedWords(base)}
        open={isRemoving}
        onClose={() => setRemoving(false)}
        onDelete={remove}
      />
    </>
  );
}

/** Moves the focus among the boxes by one, which wraps nowhere. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLInputElement) || event.target.type !== "checkbox")
    return;
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  boxes[boxes.indexOf(event.target) + step]?.focus();
  event.preventDefault();
}

/** The people who can have come: the roster, and people who are added by search or as new clients. */
function People({ isClosed }: { isClosed: boolean }) {
  const form = useFormContext<Values>();
  const people = form.watch("people");
  const unnamed = form.watch("unnamed");
  const [added, setAdded] = useState("");
  const count = people.filter(({ attends }) => attends).length;
  const areAll = people.length > 0 && count === people.length;
  const names = peopleNames(people);

  const tickAll = () =>
    form.setValue(
      "people",
      people.map((person) => ({ ...person, attends: !areAll })),
      { shouldDirty: true },
    );
  useShortcut("a", "Tick everyone", tickAll, !isClosed);
  const openMinutes = () => {
    const row = document.activeElement?.closest("li");
    row?.querySelector<HTMLElement>("[data-minutes]")?.click();
  };
  useShortcut("m", "Other minutes for the person in focus", openMinutes, !isClosed);
  const focusSearch = () => document.querySelector<HTMLElement>("#field-search")?.focus();
  useShortcut("+", "Add someone by name", focusSearch, !isClosed);

  function add(person: Namesake) {
    const at = people.findIndex(
      ({ clientId, name }) => clientId === person.id && (clientId !== null || name === person.name),
    );
    if (at >= 0) form.setValue(`people.${at}.attends`, true, { shouldDirty: true });
    else {
      const next = { ...absentPerson(person), attends: true };
      form.setValue("people", [...people, next], { shouldDirty: true });
    }
    setAdded(person.id === null ? person.name : "");
  }

  return (
    <Section
      title="Who came"
      actions={
        <div className="flex items-center gap-3">
          <output className="text-muted">{`${count} of ${people.length}`}</output>
          <Button onClick={tickAll} disabled={people.length === 0}>
            {areAll ? "Tick nobody" : "Tick everyone"}
          </Button>
        </div>
      }
    >
      {people.length === 0 && <p className="text-muted">Nobody is on the roster. Add people below.</p>}
      <ul
        className="divide-y divide-line border-line border-y empty:hidden"
        aria-label="People"
        onKeyDown={moveFocus}
      >
        {people.map((person, at) => (
          <PersonRow
            key={person.clientId ?? person.name}
            at={at}
            person={person}
            name={names[at] ?? person.name}
          />
        ))}
      </ul>
      <ClientPicker
        name="search"
        label="Add someone"
        required={false}
        chosen=""
        onChoose={add}
        onCreate={(name) => add({ id: null, name, yearOfBirth: null, createdOn: "" })}
      />
      <SimilarClients
        typed={added}
        onChoose={(client) => {
          form.setValue(
            "people",
            people.filter(({ clientId, name }) => clientId !== null || name !== added),
          );
          add(client);
        }}
      />
      <div className="flex flex-col gap-1">
        <FieldControl facts={factsAt(sessionSchema, "unnamed")} name="unnamed" choices={{}} />
        {unnamed > 0 && <p className="text-muted text-sm">{NOT_COUNTED}</p>}
      </div>
    </Section>
  );
}

/** A person with the box, and on request other minutes. */
function PersonRow({ at, person, name }: { at: number; person: Person; name: string }) {
  const form = useFormContext<Values>();
  const [isOpen, setOpen] = useState(person.minutes !== null);
  // Another leader's minutes can be taken over later.
  if (!isOpen && person.minutes !== null) setOpen(true);
  const minutes = form.watch("minutes");
  function openMinutes() {
    // Rendered at once, so that digits that are typed next reach the field.
    flushSync(() => setOpen(true));
    form.setValue(`people.${at}.attends`, true, { shouldDirty: true });
    document.querySelector<HTMLInputElement>(`#field-people-${at}-minutes`)?.focus();
  }
  return (
    <li className="flex flex-wrap items-center gap-x-1 py-0.5 sm:gap-x-3">
      <CheckboxField name={`people.${at}.attends`} label={name} className="min-w-0 flex-1 wrap-anywhere" />
      {person.clientId === null && <span className="text-muted text-sm">new client</span>}
      {person.edited && <span className="text-muted text-sm">form differs</span>}
      {person.formId !== null && (
        <LinkButton size="sm" variant="ghost" href={to("formsView", { id: person.formId })}>
          Form
        </LinkButton>
      )}
      {isOpen ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Enter in the field leads back to the box
        <div
          className="w-28"
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            document.querySelector<HTMLElement>(`#field-people-${at}-attends`)?.focus();
          }}
        >
          <NumberField
            name={`people.${at}.minutes`}
            label={`Minutes of ${name}`}
            hideLabel
            read={parseMinutes}
          />
        </div>
      ) : (
        <Button size="sm" variant="ghost" data-minutes="" onClick={openMinutes}>
          <span>
            {typeof minutes === "number" && minutes > 0 ? duration(minutes) : "Minutes"}
            <span className="sr-only">{`: other minutes for ${name}`}</span>
          </span>
        </Button>
      )}
    </li>
  );
}

/** The leaders of the group, each with a box and minutes. Blank minutes are those of the session. */
function Leaders() {
  const form = useFormContext<Values>();
  const leaders = form.watch("leaders");
  const minutes = form.watch("minutes");
  const error = form.formState.errors.leaders?.root?.message ?? form.formState.errors.leaders?.message;
  return (
    <>
      <ul className="divide-y divide-line border-line border-t" aria-label="Leaders">
        {leaders.map(({ userId, name, leads }, at) => (
          <li key={userId} className="flex flex-wrap items-center gap-x-3 py-1">
            <CheckboxField
              name={`leaders.${at}.leads`}
              label={name}
              className="min-w-0 flex-1 wrap-anywhere"
            />
            {leads && (
              <div className="w-28">
                <NumberField
                  name={`leaders.${at}.minutes`}
                  label={`Minutes of ${name}`}
                  hideLabel
                  read={parseMinutes}
                  placeholder={typeof minutes === "number" ? String(minutes) : undefined}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {leaders.length === 0 && (
        <p className="text-muted">
          No leader of the group has an active account. Add one to the group first.
        </p>
      )}
      {error && <p className="text-danger text-sm">{error}</p>}
    </>
  );
}
