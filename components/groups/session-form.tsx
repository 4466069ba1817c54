"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useFormContext } from "react-hook-form";
import { z } from "zod/mini";
import { SimilarClients } from "@/components/clients/similar-clients";
import { ClientPicker } from "@/components/forms/client-picker";
import { factsAt } from "@/components/record/field-at";
import { FieldControl } from "@/components/record/field-control";
import { RecordFrame } from "@/components/record/record-frame";
import { useRecordForm } from "@/components/record/use-record-form";
import { CheckboxField } from "@/components/ui/choice-fields";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button, LinkButton } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import { useShortcut } from "@/components/ui/shortcuts";
import { NumberField } from "@/components/ui/text-fields";
import { clientCreation } from "@/lib/clients/creation";
import { clientSchema } from "@/lib/clients/schema";
import type { NamedItem } from "@/lib/core/access/permissions";
import { ApiError, type BodyOf, call } from "@/lib/core/api/client";
import { creation } from "@/lib/core/api/creation";
import { MINUTES_MAX } from "@/lib/core/fields/validation";
import { toWire } from "@/lib/core/fields/wire";
import { to } from "@/lib/core/pages";
import { counted, date, parseMinutes, today } from "@/lib/core/text/format";
import { closedMessage } from "@/lib/forms/words";
import type { GroupSession } from "@/lib/groups/api-schema";
import { sessionInput, sessionSchema } from "@/lib/groups/schema";
import { groupMessages, NOT_COUNTED } from "@/lib/groups/words";

/** Someone on the list: on the roster, added by search, or new (`clientId` is null until the record is made). */
type Person = {
  clientId: number | null;
  name: string;
  attends: boolean;
  /** Null while the session's minutes apply. */
  minutes: number | null;
  attendanceId?: number | undefined;
  formId: number | null;
  edited: boolean;
};
type Leader = {
  userId: number;
  name: string;
  leads: boolean;
  minutes: number | null;
  id?: number | undefined;
};

const ownMinutes = z.nullable(z.int().check(z.minimum(1), z.maximum(MINUTES_MAX)));
const values = z.object({
  heldOn: sessionSchema.shape.heldOn,
  minutes: sessionSchema.shape.minutes,
  unnamed: sessionSchema.shape.unnamed,
  people: z.array(z.looseObject({ attends: z.boolean(), minutes: ownMinutes })),
  leaders: z
    .array(z.looseObject({ leads: z.boolean(), minutes: ownMinutes }))
    .check(z.refine((rows) => rows.some(({ leads }) => leads), { error: "At least one leader is required" })),
});
type Values = {
  heldOn: string;
  minutes: number | null;
  unnamed: number;
  people: Person[];
  leaders: Leader[];
};

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

export type SessionProps = {
  group: { id: number; usualMinutes: number; leaderIds: number[] };
  /** The people on the roster, by name. */
  roster: NamedItem[];
  /** Names of the leaders, also of former ones who are in the session. */
  leaders: NamedItem[];
  userId: number;
  /** Null for a new session. */
  session: GroupSession | null;
  closedThrough: string | null;
  back: string;
};

/** Returns the values that the form begins with. Nobody is ticked in a new session: presence is never assumed. */
function valuesOf({ group, roster, leaders, userId, session }: SessionProps): Values {
  const person = ({ id, name }: NamedItem): Person => ({
    clientId: id,
    name,
    attends: false,
    minutes: null,
    formId: null,
    edited: false,
  });
  const came = (session?.attendances ?? []).map(({ id, client, ...attendance }) => ({
    ...person(client),
    attends: true,
    minutes: attendance.minutes,
    attendanceId: id,
    formId: attendance.formId,
    edited: attendance.edited || attendance.differs,
  }));
  const absent = roster.filter(({ id }) => !came.some(({ clientId }) => clientId === id)).map(person);
  const minutes = session?.minutes ?? group.usualMinutes;
  const first = group.leaderIds.includes(userId) ? userId : group.leaderIds[0];
  return {
    heldOn: session?.heldOn ?? today(),
    minutes,
    unnamed: session?.unnamed ?? 0,
    people: [...came, ...absent].sort((a, b) => a.name.localeCompare(b.name)),
    leaders: leaders.map(({ id, name }) => {
      const row = session?.leaders.find(({ userId }) => userId === id);
      return {
        userId: id,
        name,
        id: row?.id,
        leads: session ? row !== undefined : id === first,
        minutes: row?.minutes ?? null,
      };
    }),
  };
}

/** The form of a session. A person is ticked with one key, and everyone with one. */
export function SessionForm(props: SessionProps) {
  const { group, session, closedThrough, back } = props;
  const router = useRouter();
  const notify = useNotify();
  const [create] = useState(() => sessionCreation(group.id));
  const [createClients] = useState(() => new Map<string, ReturnType<typeof clientCreation>>());
  const [isRemoving, setRemoving] = useState(false);
  const state = useRecordForm<GroupSession | null, Values, Values>({
    stored: session,
    back,
    entity: "groupSession",
    values: valuesOf(props),
    resolver: () => schemaResolver<Values, Values>(values as never),
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
        leaders: given.leaders
          .filter(({ leads }) => leads)
          .map(({ id, userId, minutes }) => ({ id, userId, minutes: minutes ?? given.minutes ?? 0 })),
        attendances: present.map(({ attendanceId, minutes }, at) => ({
          id: attendanceId,
          clientId: ids[at],
          minutes,
        })),
      });
      if (!session) return create({ groupSession });
      return call("PUT /api/groups/{id}/sessions/{sessionId}", {
        params: { id: group.id, sessionId: session.id },
        body: { groupSession },
      });
    });
    if (saved) state.leave(session ? groupMessages.sessionUpdated : groupMessages.sessionCreated, given);
  }

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
  const forms = session?.attendances.length ?? 0;
  return (
    <>
      <RecordFrame
        state={state}
        back={back}
        isNew={!session}
        frozen={isClosed}
        begins="field-people-0-attends"
        onSave={save}
        actions={
          session &&
          !isClosed && (
            <Button className="mr-auto text-danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      >
        <Section title="Session">
          <FieldGrid columns={3}>
            {field("heldOn")}
            {field("minutes")}
          </FieldGrid>
        </Section>
        <People />
        <Section
          title="Leaders"
          description="My Time of each leader has these minutes, once for the session."
        >
          <Leaders />
        </Section>
      </RecordFrame>
      <ConfirmDelete
        label={
          session
            ? `the session of ${date(session.heldOn)}${forms > 0 ? ` with ${counted(forms, "form")}` : ""}`
            : ""
        }
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
function People() {
  const form = useFormContext<Values>();
  const people = form.watch("people");
  const unnamed = form.watch("unnamed");
  const [added, setAdded] = useState("");
  const count = people.filter(({ attends }) => attends).length;
  const areAll = people.length > 0 && count === people.length;

  const tickAll = () =>
    form.setValue(
      "people",
      people.map((person) => ({ ...person, attends: !areAll })),
      { shouldDirty: true },
    );
  useShortcut("a", "Tick everyone", tickAll);
  useShortcut("m", "Other minutes for the person in focus", () => {
    const row = document.activeElement?.closest("li");
    row?.querySelector<HTMLElement>("[data-minutes]")?.click();
  });
  useShortcut("+", "Add someone by name", () =>
    document.querySelector<HTMLElement>("#field-search")?.focus(),
  );

  function add(person: { id: number | null; name: string }) {
    const at = people.findIndex(({ clientId }) => clientId !== null && clientId === person.id);
    if (at >= 0) form.setValue(`people.${at}.attends`, true, { shouldDirty: true });
    else {
      const next: Person = {
        clientId: person.id,
        name: person.name,
        attends: true,
        minutes: null,
        formId: null,
        edited: false,
      };
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
          <PersonRow key={person.clientId ?? person.name} at={at} person={person} />
        ))}
      </ul>
      <ClientPicker
        name="search"
        label="Add someone"
        required={false}
        chosen=""
        onChoose={({ id, name }) => add({ id, name })}
        onCreate={(name) => add({ id: null, name })}
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
function PersonRow({ at, person }: { at: number; person: Person }) {
  const form = useFormContext<Values>();
  const [isOpen, setOpen] = useState(person.minutes !== null);
  const minutes = form.watch("minutes");
  function openMinutes() {
    // Rendered at once, so that digits that are typed next reach the field.
    flushSync(() => setOpen(true));
    form.setValue(`people.${at}.attends`, true, { shouldDirty: true });
    document.querySelector<HTMLInputElement>(`#field-people-${at}-minutes`)?.focus();
  }
  return (
    <li className="flex flex-wrap items-center gap-x-1 py-0.5 sm:gap-x-3">
      <CheckboxField name={`people.${at}.attends`} label={person.name} className="min-w-0 flex-1" />
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
            label={`Minutes of ${person.name}`}
            hideLabel
            read={parseMinutes}
          />
        </div>
      ) : (
        <Button size="sm" variant="ghost" data-minutes="" onClick={openMinutes}>
          <span>
            {typeof minutes === "number" && minutes > 0 ? `${minutes} min` : "Minutes"}
            <span className="sr-only">{`: other minutes for ${person.name}`}</span>
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
            <CheckboxField name={`leaders.${at}.leads`} label={name} className="min-w-0 flex-1" />
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
      {error && <p className="text-danger text-sm">{error}</p>}
    </>
  );
}
