"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { PhoneBadge } from "@/components/clients/phone-number";
import { ClientPicker } from "@/components/forms/client-picker";
import { ErrorAlert } from "@/components/ui/alert";
import { RowLink } from "@/components/ui/cell-text";
import { Button, LinkButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { onFirstClick } from "@/components/ui/first-click";
import { ListIcon, PlusIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { Column } from "@/components/ui/table-grid";
import { useAttempt } from "@/components/ui/use-failure";
import { distinctNames, type Namesake } from "@/lib/clients/hits";
import { ApiError, call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { PAGES, to } from "@/lib/core/pages";
import { date, minutes, peopleWords } from "@/lib/core/text/format";
import type { Group, GroupSession } from "@/lib/groups/api-schema";

type RosterPerson = Namesake & { id: number; safeToCall: boolean };

const newSession = (id: number) => (
  <LinkButton href={to("sessionsNew", { id })} variant="primary" data-new icon={<PlusIcon />}>
    {PAGES.sessionsNew.title}
  </LinkButton>
);

const columnsFor = (leaders: ReadonlyMap<number, string>): Column<GroupSession>[] => [
  {
    key: "heldOn",
    header: "Date",
    sortable: true,
    holds: "moments",
    cell: ({ id, groupId, heldOn }) => (
      <RowLink href={to("sessionsEdit", { id: groupId, sessionId: id })} text={date(heldOn)} />
    ),
  },
  { key: "minutes", header: "Minutes", holds: "numbers", cell: (session) => minutes(session.minutes) },
  {
    key: "people",
    header: "People",
    holds: "numbers",
    cell: ({ attendances, unnamed }) =>
      unnamed > 0 ? `${attendances.length} and ${unnamed} without a record` : attendances.length,
  },
  {
    key: "leaders",
    header: "Leaders",
    width: "rest",
    cell: (session) => session.leaders.map(({ userId }) => leaders.get(userId) ?? "").join(", "),
  },
];

/** A group's sessions, and its roster. */
export function GroupScreen({
  group,
  roster,
  leaders,
  sessions,
  meta,
  failed,
  mayExport,
}: {
  group: Group;
  roster: RosterPerson[];
  /** The names of the leaders by id. */
  leaders: [number, string][];
  sessions: GroupSession[];
  meta: Meta;
  failed: string | string[] | null;
  mayExport: boolean;
}) {
  return (
    <div className="stack">
      <DataTable
        label="Sessions"
        columns={columnsFor(new Map(leaders))}
        rows={sessions}
        meta={meta}
        failed={failed}
        compact
        actions={
          <>
            {mayExport && <ExportLinks path={`/api/groups/${group.id}/sessions`} />}
            {newSession(group.id)}
          </>
        }
        empty={
          <EmptyState icon={<ListIcon />} action={newSession(group.id)}>
            No sessions yet.
          </EmptyState>
        }
      />
      <Roster group={group} roster={roster} />
    </div>
  );
}

/** The roster. Each change is saved at once, after the one before it; someone who is taken off stays in past sessions. */
function Roster({ group, roster }: { group: Group; roster: RosterPerson[] }) {
  const router = useRouter();
  const form = useForm();
  const [messages, setMessages] = useState<string[]>([]);
  const { busy, run } = useAttempt(setMessages);
  const saved = useRef(group);
  useEffect(() => {
    // A page that was read before the latest save must not take its roster back. Hidden clients leave it without a save.
    if (group.lockVersion >= saved.current.lockVersion) saved.current = group;
  }, [group]);
  const waiting = useRef(Promise.resolve());
  const names = distinctNames(roster);
  const change = (rosterAfter: (clientIds: readonly number[]) => number[]) => {
    setMessages([]);
    waiting.current = waiting.current.then(() =>
      run(async () => {
        const params = { id: group.id };
        const save = async () => {
          const { clientIds, lockVersion } = saved.current;
          const body = { group: { clientIds: rosterAfter(clientIds), lockVersion } };
          saved.current = (await call("PUT /api/groups/{id}", { params, body })).group;
        };
        try {
          await save().catch(async (error) => {
            if (!(error instanceof ApiError && error.fields["group.clientIds"])) throw error;
            // Someone on the roster was merged, purged, or hidden since the page was read.
            saved.current = (await call("GET /api/groups/{id}", { params })).group;
            await save();
          });
        } finally {
          router.refresh();
        }
      }),
    );
  };
  return (
    <Section
      title="Roster"
      description={`${peopleWords(roster.length)}. Only the leaders and holders of All Forms see who is on it.`}
    >
      <ErrorAlert messages={messages} />
      <FormProvider {...form}>
        <div className="print-hidden max-w-xl">
          <ClientPicker
            name="client"
            label="Add people by name"
            required={false}
            chosen=""
            onChoose={({ id }) => change((ids) => [...new Set([...ids, id])])}
          />
        </div>
      </FormProvider>
      <ul
        aria-label="Roster"
        aria-busy={busy}
        className="divide-y divide-line border-line border-t empty:hidden"
      >
        {roster.map(({ id, safeToCall }, at) => (
          <li key={id} className="flex min-h-control items-center gap-x-3 py-1">
            <div className="flex min-w-0 grow items-center gap-x-3 max-sm:flex-col max-sm:items-start max-sm:pb-1">
              <Link
                href={to("clientsShow", { id })}
                className="link flex min-h-control min-w-0 grow items-center wrap-anywhere"
              >
                {names[at]}
              </Link>
              <PhoneBadge safeToCall={safeToCall} />
            </div>
            <span className="print-hidden flex-none">
              <Button
                size="sm"
                variant="ghost"
                onClick={onFirstClick(() => change((ids) => ids.filter((other) => other !== id)))}
              >
                <span>
                  Take off<span className="sr-only">{`: ${names[at]}`}</span>
                </span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
