import type { Tx } from "@/lib/core/database/client";

/** Adds a support group that the accounts lead, with the first eight clients on its roster and no session yet. */
export async function addGroup(tx: Tx, users: readonly [{ id: number }, ...{ id: number }[]]): Promise<void> {
  const formType = await tx.formType.findFirst({ where: { name: "Service" } });
  const serviceCode = await tx.serviceCode.findFirst({ where: { code: "COUNSEL-GRP" } });
  const clients = await tx.client.findMany({ orderBy: { id: "asc" }, take: 8, select: { id: true } });
  if (!formType || !serviceCode) return;
  await tx.group.create({
    data: {
      name: "Tuesday support group",
      usualMinutes: 90,
      userId: users[0].id,
      formTypeId: formType.id,
      serviceCodeId: serviceCode.id,
      leaders: { create: users.map(({ id }) => ({ userId: id })) },
      roster: { create: clients.map(({ id }) => ({ clientId: id })) },
    },
  });
}
