import type { Tx } from "@/lib/core/database/client";
import type { Prisma } from "@/lib/generated/prisma/client";

/** Read from the database, because an administrator may have edited or emptied the lists after the seed. */
export async function readLists(tx: Tx) {
  return {
    ageBrackets: await tx.ageBracket.findMany({ orderBy: { rangeStart: "asc" } }),
    incomeLevels: await tx.incomeLevel.findMany({ orderBy: { rangeStart: "asc" } }),
    educationLevels: await tx.educationLevel.findMany({ orderBy: { sortOrder: "asc" } }),
    ethnicities: await tx.ethnicity.findMany({ orderBy: { id: "asc" } }),
    offenderRelationships: await tx.offenderRelationship.findMany({ orderBy: { id: "asc" } }),
    custodyStatuses: await tx.custodyStatus.findMany({ orderBy: { id: "asc" } }),
    hateCrimeCategories: await tx.hateCrimeCategory.findMany({ orderBy: { id: "asc" } }),
    secondaryVictimizations: await tx.secondaryVictimization.findMany({ orderBy: { id: "asc" } }),
    outcomes: await tx.magisterialCourtOutcome.findMany({ orderBy: { id: "asc" } }),
    contactTypes: await tx.pfaCourtContactType.findMany({ orderBy: { id: "asc" } }),
    canines: await tx.canine.findMany({ orderBy: { id: "asc" } }),
    referralSources: await tx.referralSource.findMany({ orderBy: { id: "asc" } }),
    formTypes: await tx.formType.findMany({ orderBy: { id: "asc" } }),
    serviceCodes: await tx.serviceCode.findMany({ orderBy: { id: "asc" }, include: { formTypes: true } }),
  };
}
export type Lists = Awaited<ReturnType<typeof readLists>>;

const none = <Row>(): Row[] => [];

/** The rows to insert, by table. */
export const newRows = () => ({
  clients: none<Prisma.ClientCreateManyInput>(),
  biographical: none<Prisma.ClientBiographicalEntryCreateManyInput>(),
  demographic: none<Prisma.ClientDemographicEntryCreateManyInput>(),
  forms: none<Prisma.FormCreateManyInput>(),
  intakes: none<Prisma.IntakeFormCreateManyInput>(),
  phones: none<Prisma.PhoneEntryCreateManyInput>(),
  incomes: none<Prisma.IncomeAndEducationEntryCreateManyInput>(),
  onCalls: none<Prisma.OnCallAdvocacyEntryCreateManyInput>(),
  legals: none<Prisma.LegalAdvocacyEntryCreateManyInput>(),
  magisterials: none<Prisma.MagisterialEntryCreateManyInput>(),
  pfaCourts: none<Prisma.PfaCourtEntryCreateManyInput>(),
  survivors: none<Prisma.SurvivorEntryCreateManyInput>(),
  victimizations: none<Prisma.SurvivorEntrySecondaryVictimizationCreateManyInput>(),
  brainInjuries: none<Prisma.BrainInjuryEntryCreateManyInput>(),
  offenders: none<Prisma.OffenderEntryCreateManyInput>(),
  services: none<Prisma.ServiceEntryCreateManyInput>(),
  provided: none<Prisma.ServiceProvidedEntryCreateManyInput>(),
  videoconferences: none<Prisma.VideoconferencingEntryCreateManyInput>(),
  hotels: none<Prisma.HotelShelterEntryCreateManyInput>(),
  statuses: none<Prisma.ServiceStatusEntryCreateManyInput>(),
});
export type Rows = ReturnType<typeof newRows>;

/** Inserts parents before children, then moves the sequences past the ids that the caller chose. */
export async function insertRows(tx: Tx, rows: Rows) {
  await tx.client.createMany({ data: rows.clients });
  await tx.clientBiographicalEntry.createMany({ data: rows.biographical });
  await tx.clientDemographicEntry.createMany({ data: rows.demographic });
  await tx.form.createMany({ data: rows.forms });
  await tx.serviceStatusEntry.createMany({ data: rows.statuses });
  await tx.intakeForm.createMany({ data: rows.intakes });
  await tx.phoneEntry.createMany({ data: rows.phones });
  await tx.incomeAndEducationEntry.createMany({ data: rows.incomes });
  await tx.onCallAdvocacyEntry.createMany({ data: rows.onCalls });
  await tx.legalAdvocacyEntry.createMany({ data: rows.legals });
  await tx.magisterialEntry.createMany({ data: rows.magisterials });
  await tx.pfaCourtEntry.createMany({ data: rows.pfaCourts });
  await tx.survivorEntry.createMany({ data: rows.survivors });
  await tx.survivorEntrySecondaryVictimization.createMany({ data: rows.victimizations });
  await tx.brainInjuryEntry.createMany({ data: rows.brainInjuries });
  await tx.offenderEntry.createMany({ data: rows.offenders });
  await tx.serviceEntry.createMany({ data: rows.services });
  await tx.serviceProvidedEntry.createMany({ data: rows.provided });
  await tx.videoconferencingEntry.createMany({ data: rows.videoconferences });
  await tx.hotelShelterEntry.createMany({ data: rows.hotels });
  await tx.$queryRaw`
    SELECT setval('forms_id_seq', (SELECT max(id) FROM forms)),
      setval('intake_forms_id_seq', (SELECT max(id) FROM intake_forms)),
      setval('phone_entries_id_seq', (SELECT max(id) FROM phone_entries)),
      setval('legal_advocacy_entries_id_seq', (SELECT max(id) FROM legal_advocacy_entries)),
      setval('survivor_entries_id_seq', (SELECT max(id) FROM survivor_entries)),
      setval('service_entries_id_seq', (SELECT max(id) FROM service_entries)),
      setval('service_provided_entries_id_seq', (SELECT max(id) FROM service_provided_entries)),
      setval('clients_id_seq', (SELECT max(id) FROM clients))`;
}
