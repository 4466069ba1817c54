import { z } from "zod";

/** The first and the last day of service, both included; without one, all before or after. */
export const printQuery = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });
export type PrintQuery = z.output<typeof printQuery>;
