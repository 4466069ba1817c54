import { markedName } from "@/lib/core/text/format";

/** A record to choose; `short` is its name as an option if the whole name is too long for one. */
export type Named = { id: number; name: string; short?: string; active?: boolean };

/** Returns named records as options; deactivated users are marked. */
export const namedOptions = (items: readonly Named[]) =>
  items.map(({ id, name, short = name, active }) => ({ value: id, label: markedName(short, active) }));
