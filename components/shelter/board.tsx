// biome-ignore-all lint/a11y/noRedundantRoles: `display: block` removes the elements' own roles on narrow screens
// biome-ignore-all lint/a11y/useSemanticElements: as above
"use client";

import { lazy, useEffect, useState } from "react";
import { PageTitle } from "@/components/shell/page-title";
import { RevealedName } from "@/components/shelter/revealed-name";
import { StatusBadge } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { useHydrated } from "@/components/ui/hydrated";
import { ShelterIcon } from "@/components/ui/icons";
import { Section } from "@/components/ui/section";
import { useShortcut } from "@/components/ui/shortcuts";
import { PAGES, to } from "@/lib/core/pages";
import { counted, date } from "@/lib/core/text/format";
import type { BoardShelter, BoardStay, StayChoices } from "@/lib/shelter/api-schema";
import { MOVE_IN_HASH } from "@/lib/shelter/words";

const MoveIn = lazy(() => import("@/components/shelter/move-in"));
const MoveForm = lazy(async () => ({ default: (await import("@/components/shelter/end-stay")).MoveForm }));
const MoveOutForm = lazy(async () => ({
  default: (await import("@/components/shelter/end-stay")).MoveOutForm,
}));

type Act = { kind: "in" } | { kind: "move" | "out"; stay: BoardStay };

/** Shows the open stays of each shelter, by initials, with the actions that change them. */
export function Board({
  shelters,
  choices,
  findsClients,
  opensClients,
  addsShelters,
}: {
  shelters: BoardShelter[];
  choices: StayChoices;
  /** True if the user may search for clients and create them. */
  findsClients: boolean;
  opensClients: boolean;
  addsShelters: boolean;
}) {
  const hydrated = useHydrated();
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const movesIn = findsClients && shelters.length > 0;
  // Home's link leads here.
  useEffect(() => {
    if (movesIn && window.location.hash === `#${MOVE_IN_HASH}`) setAct({ kind: "in" });
  }, [movesIn]);
  useShortcut("m", "Move a client in", () => setAct({ kind: "in" }), movesIn);

  const titleOf = (kind: "move" | "out", { initials }: BoardStay) =>
    kind === "move" ? `Move ${initials} to another shelter` : `Move ${initials} out`;
  return (
    <>
      <PageTitle
        title={PAGES.shelter.title}
        actions={
          <div className="flex flex-wrap gap-2 print-hidden">
            <LinkButton href={to("staysList")}>All stays</LinkButton>
            {movesIn && (
              <Button
                variant="primary"
                title="Move in (m)"
                disabled={!hydrated}
                onClick={() => setAct({ kind: "in" })}
              >
                Move in
              </Button>
            )}
          </div>
        }
      />
      <div className="stack">
        {shelters.length === 0 && (
          <div className="card">
            <EmptyState
              icon={<ShelterIcon />}
              action={
                addsShelters && (
                  <LinkButton href={to("listNew", { list: "shelters" })} variant="primary">
                    Add a shelter
                  </LinkButton>
                )
              }
            >
              No shelters are set up.{!addsShelters && " An administrator can add them in Settings."}
            </EmptyState>
          </div>
        )}
        {shelters.map((shelter) => (
          <ShelterSection
            key={shelter.id}
            shelter={shelter}
            opensClients={opensClients}
            hasOthers={shelters.length > 1}
            onAct={setAct}
          />
        ))}
      </div>
      <Dialog open={act?.kind === "in"} onClose={close} title="Move in" wide>
        <MoveIn shelters={shelters} onDone={close} />
      </Dialog>
      <Dialog
        open={act?.kind === "move"}
        onClose={close}
        title={act?.kind === "move" ? titleOf("move", act.stay) : ""}
      >
        {act?.kind === "move" && <MoveForm stay={act.stay} choices={choices} onDone={close} />}
      </Dialog>
      <Dialog
        open={act?.kind === "out"}
        onClose={close}
        title={act?.kind === "out" ? titleOf("out", act.stay) : ""}
      >
        {act?.kind === "out" && <MoveOutForm stay={act.stay} choices={choices} onDone={close} />}
      </Dialog>
    </>
  );
}

const LONG_BADGE = {
  status_code: "warning",
  status_title: "Stay",
  description: "Open for longer than usual. Is the client still there?",
  display_status: "Long stay",
};

function bedsWords({ beds, bedsTaken }: BoardShelter): string {
  const taken = `${counted(bedsTaken, "bed")} taken`;
  return `${taken}, ${beds === 0 ? "number not fixed" : `${Math.max(0, beds - bedsTaken)} free of ${beds}`}`;
}

/** Fixed widths, so that the columns of all shelters line up. */
const COLUMNS = [
  ["Client", "w-[28%]"],
  ["Since", "w-[14%]"],
  ["Nights", "w-[22%]"],
  ["People", "w-[8%]"],
];

function ShelterSection({
  shelter,
  opensClients,
  hasOthers,
  onAct,
}: {
  shelter: BoardShelter;
  opensClients: boolean;
  hasOthers: boolean;
  onAct: (act: Act) => void;
}) {
  const { name, kind, stays } = shelter;
  return (
    <Section title={name} actions={<p className="text-muted">{`${kind} · ${bedsWords(shelter)}`}</p>}>
      {stays.length === 0 ? (
        <p className="text-muted">Nobody is here.</p>
      ) : (
        <div className="@container overflow-x-auto rounded-md border border-line">
          <table className="data-table @min-[56rem]:table-fixed" aria-label={`Stays in ${name}`} role="table">
            <thead role="rowgroup">
              <tr role="row">
                {COLUMNS.map(([column, width]) => (
                  <th key={column} role="columnheader" scope="col" className={width}>
                    {column}
                  </th>
                ))}
                <th role="columnheader" scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {stays.map((stay) => (
                <tr key={stay.id} role="row">
                  <td role="cell">
                    <RevealedName stayId={stay.id} initials={stay.initials} opensClients={opensClients} />
                  </td>
                  <td role="cell" data-label="Since">
                    <span className="@min-[40rem]:hidden">since </span>
                    {date(stay.enteredOn)}
                  </td>
                  <td role="cell" data-label="Nights">
                    <span className="flex flex-wrap items-center gap-2">
                      {counted(stay.nights, "night")}
                      {stay.isLong && <StatusBadge badge={LONG_BADGE} />}
                    </span>
                  </td>
                  <td role="cell" data-label="People">
                    {stay.people}
                    <span className="@min-[40rem]:hidden">{stay.people === 1 ? " person" : " people"}</span>
                  </td>
                  <td role="cell" className="@max-[40rem]:basis-full">
                    <div className="flex flex-wrap gap-2 py-1 @min-[40rem]:justify-end @min-[40rem]:py-0 print-hidden">
                      {hasOthers && stay.leftOn === null && (
                        <Button
                          size="sm"
                          aria-label={`Move ${stay.initials} to another shelter`}
                          onClick={() => onAct({ kind: "move", stay })}
                        >
                          Move
                        </Button>
                      )}
                      {stay.leftOn === null && (
                        <Button
                          size="sm"
                          aria-label={`Move out ${stay.initials}`}
                          onClick={() => onAct({ kind: "out", stay })}
                        >
                          Move out
                        </Button>
                      )}
                      <LinkButton
                        size="sm"
                        variant="ghost"
                        aria-label={`Edit the stay of ${stay.initials}`}
                        href={to("staysEdit", { id: stay.id })}
                      >
                        Edit
                      </LinkButton>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
