import { declareRecord } from "@/lib/core/records/declaration";
import { staySchema } from "@/lib/shelter/schema";

export const stays = declareRecord({
  entity: "stay",
  plural: "stays",
  schema: staySchema,
  permission: "shelter",
  words: { title: "Stays", record: "stay", notice: "" },
  day: "enteredOn",
  seenBy: "client",
  columns: ["enteredOn", "leftOn", "shelterId"],
  filters: ["shelterId"],
  searched: ["shelterId"],
});
