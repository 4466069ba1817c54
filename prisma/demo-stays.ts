import type { Tx } from "@/lib/core/database/client";
import { EARLIEST_DAY } from "@/lib/core/text/format";
import { newRowLine } from "@/lib/lookups/report-lines";

const SHELTERS = [
  { name: "Lantern House", kind: "In-house", beds: 14 },
  { name: "Maple Safe Home", kind: "Safe home", beds: 5 },
  { name: "Riverside Motel", kind: "Hotel or motel", beds: 0 },
];

type Stay = {
  clientId: number;
  shelter: (typeof SHELTERS)[number]["name"];
  /** Days before today. */
  entered: number;
  left?: number;
  exit?: string;
  adults?: number;
  teens?: number;
  children?: number;
};

/** One is longer than STAY_ALERT_DAYS, and one client moved. The clients with the lowest ids came first. */
const STAYS: readonly Stay[] = [
  { clientId: 3, shelter: "Lantern House", entered: 74, teens: 1, children: 2 },
  { clientId: 5, shelter: "Lantern House", entered: 12, children: 3 },
  { clientId: 7, shelter: "Lantern House", entered: 3 },
  { clientId: 8, shelter: "Lantern House", entered: 40, left: 9, adults: 1 },
  { clientId: 8, shelter: "Maple Safe Home", entered: 9, adults: 1 },
  { clientId: 2, shelter: "Riverside Motel", entered: 1, children: 1 },
  { clientId: 4, shelter: "Riverside Motel", entered: 66, left: 61, exit: "Family or friends", teens: 1 },
  { clientId: 6, shelter: "Lantern House", entered: 95, left: 52, exit: "Transitional housing", children: 1 },
];

/** Adds three shelters and a few stays of the demo's clients. */
export async function addStays(tx: Tx, userId: number, dayBefore: (days: number) => Date): Promise<void> {
  await tx.shelter.createMany({ data: SHELTERS, skipDuplicates: true });
  const shelters = await tx.shelter.findMany();
  const mapped = new Set(
    (await tx.reportMapping.findMany({ where: { report: "fvpsa", kind: "shelter" } })).map(
      ({ source }) => source,
    ),
  );
  await tx.reportMapping.createMany({
    data: shelters
      .filter(({ id }) => !mapped.has(String(id)))
      .map((shelter) => ({
        report: "fvpsa",
        kind: "shelter",
        source: String(shelter.id),
        line: newRowLine("shelter", shelter),
        validFrom: new Date(EARLIEST_DAY),
      })),
  });
  const exits = await tx.exitDestination.findMany();
  await tx.stay.createMany({
    data: STAYS.flatMap(({ clientId, shelter, entered, left, exit, adults, teens, children }) => {
      const shelterId = shelters.find(({ name }) => name === shelter)?.id;
      if (shelterId === undefined) return [];
      return {
        clientId,
        shelterId,
        userId,
        enteredOn: dayBefore(entered),
        leftOn: left === undefined ? null : dayBefore(left),
        exitDestinationId: exits.find(({ name }) => name === exit)?.id ?? null,
        adults,
        childrenThirteenToSeventeen: teens,
        childrenUnderThirteen: children,
      };
    }),
  });
}
