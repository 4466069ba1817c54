import type { Tx } from "@/lib/core/database/client";

/** The people of the roster who came to each past session, by their places, and how many days ago it was. */
const SESSIONS = [
  { days: 12, came: [0, 1, 2, 4, 5, 7] },
  { days: 5, came: [0, 1, 3, 4, 5, 6, 7] },
];
const MINUTES = 90;

/**
 * Adds a support group that the accounts lead, with the first eight clients on its roster and two past sessions. Each
 * attendance has a form, as a session writes it.
 */
export async function addGroup(
  tx: Tx,
  users: readonly [{ id: number }, ...{ id: number }[]],
  daysAgo: (days: number) => Date,
): Promise<void> {
  const formType = await tx.formType.findFirst({ where: { name: "Service" } });
  const serviceCode = await tx.serviceCode.findFirst({ where: { code: "COUNSEL-GRP" } });
  const canine = await tx.canine.findFirst({ where: { name: "None" } });
  const clients = await tx.client.findMany({
    orderBy: { id: "asc" },
    take: 8,
    select: { id: true, verbalConfirmation: true },
  });
  if (!formType || !serviceCode) return;
  const [{ id: userId }] = users;
  const written = { formTypeId: formType.id, serviceCodeId: serviceCode.id, userId };
  const group = await tx.group.create({
    data: {
      name: "Tuesday support group",
      usualMinutes: MINUTES,
      ...written,
      leaders: { create: users.map(({ id }) => ({ userId: id })) },
      roster: { create: clients.map(({ id }) => ({ clientId: id })) },
    },
  });
  for (const { days, came } of SESSIONS) {
    const session = await tx.groupSession.create({
      data: {
        groupId: group.id,
        heldOn: daysAgo(days),
        minutes: MINUTES,
        ...written,
        leaders: { create: users.slice(0, 2).map(({ id }) => ({ userId: id, minutes: MINUTES })) },
      },
    });
    for (const { id: clientId, verbalConfirmation } of clients.filter((_, place) => came.includes(place))) {
      const form = await tx.form.create({
        data: {
          clientId,
          userId,
          formTypeId: formType.id,
          serviceOn: daysAgo(days),
          serviceStatus: "Served",
          verbalConfirmation,
          canineId: canine?.id ?? null,
          serviceEntry: {
            create: {
              serviceProvidedEntries: {
                create: [{ serviceCodeId: serviceCode.id, minutes: MINUTES, ofSession: true }],
              },
            },
          },
        },
      });
      await tx.attendance.create({ data: { groupSessionId: session.id, clientId, formId: form.id } });
    }
  }
}
