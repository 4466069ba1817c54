import { z } from "zod";
import { id } from "@/lib/fields/validation";

// The parts that answers are made of (contract §1).

export const namedItem = z.object({ id: id(), name: z.string() });
/** A user as others may know them. */
export const person = z.object({ id: id(), firstName: z.string(), lastName: z.string() });
