// biome-ignore-all lint/a11y/noRedundantRoles: `display: block` removes the elements' own roles on narrow screens
// biome-ignore-all lint/a11y/useSemanticElements: as above
import { ClosedStayMark } from "@/components/shelter/closed-stay-mark";
import { StatusBadge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { to } from "@/lib/core/pages";
import { counted, date, today } from "@/lib/core/text/format";
import type { Stay } from "@/lib/shelter/api-schema";
import { nightsSoFar, overlappingIds, peopleOf } from "@/lib/shelter/nights";
import { OVERLAP_BADGE, STAY_LABELS } from "@/lib/shelter/words";

const COLUMNS = [STAY_LABELS.enteredOn, STAY_LABELS.leftOn, STAY_LABELS.shelter, "Nights", "People"];

/** A client's stays, newest first. Those at one time are marked; a merge may have left them behind. */
export function ClientStays({ stays }: { stays: readonly Stay[] }) {
  const overlapping = overlappingIds(stays);
  return (
    <Section title="Stays" actions={<p className="text-muted">{counted(stays.length, "stay")}</p>}>
      {stays.length === 0 ? (
        <p className="text-muted">No stays in shelter.</p>
      ) : (
        <div className="@container overflow-x-auto rounded-md border border-line">
          <table className="data-table" aria-label="Stays" role="table">
            <thead role="rowgroup">
              <tr role="row">
                {COLUMNS.map((column) => (
                  <th key={column} role="columnheader" scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {stays.map((stay) => (
                <tr key={stay.id} role="row">
                  <td role="cell">
                    <span className="flex flex-wrap items-center gap-2">
                      <Link href={`${to("staysEdit", { id: stay.id })}?client=1`} className="link">
                        {date(stay.enteredOn)}
                      </Link>
                      {overlapping.has(stay.id) && <StatusBadge badge={OVERLAP_BADGE} />}
                      <ClosedStayMark leftOn={stay.leftOn} />
                    </span>
                  </td>
                  <td role="cell" data-label={STAY_LABELS.leftOn}>
                    {stay.leftOn ? (
                      <>
                        <span className="@min-[40rem]:hidden">to </span>
                        {date(stay.leftOn)}
                      </>
                    ) : (
                      "still there"
                    )}
                  </td>
                  <td role="cell" data-label={STAY_LABELS.shelter}>
                    {stay.shelter.name}
                  </td>
                  <td role="cell" data-label="Nights">
                    {counted(nightsSoFar(stay, today()), "night")}
                  </td>
                  <td role="cell" data-label="People">
                    {peopleOf(stay)}
                    <span className="@min-[40rem]:hidden">
                      {peopleOf(stay) === 1 ? " person" : " people"}
                    </span>
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
