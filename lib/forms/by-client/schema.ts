import { z } from "zod";

/** The first and last day of service, both inclusive. A missing bound means no limit. */
export const printQuery = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });
export type PrintQuery = z.output<typeof printQuery>;
