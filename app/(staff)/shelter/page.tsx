import { Board } from "@/components/shelter/board";
import { can } from "@/lib/core/access/permissions";
import { seesClients } from "@/lib/core/access/scope";
import { page } from "@/lib/page";
import { readBoard } from "@/lib/shelter/board";
import { stayChoices } from "@/lib/shelter/stays";

/** Shows who is in which shelter. */
export default page({
  permission: "shelter",
  load: async ({ actor }) => {
    const [shelters, choices] = await Promise.all([readBoard(actor), stayChoices(actor)]);
    const may = {
      findsClients: seesClients(actor),
      opensClients: can(actor, "clients"),
      addsShelters: can(actor, "shelters"),
    };
    return { shelters, choices, ...may };
  },
  show: (board) => <Board {...board} />,
});
