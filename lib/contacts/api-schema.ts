import { z } from "zod/mini";
import { contactSchema } from "@/lib/contacts/schema";
import { dayFilter, idFilter, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { optionalInPut } from "@/lib/core/fields/vocabulary";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

/**
 * The body of `POST /api/contacts` and `PUT /api/contacts/{id}`. A new contact without a day is today's. `formId` links
 * the contact to a form and null unlinks it; if omitted, that does not change.
 */
export const contactBody = z.object({
  contact: z.extend(contactSchema, {
    contactedOn: optionalInPut(contactSchema.shape.contactedOn),
    formId: z.optional(z.nullable(id())),
  }),
});
export type ContactBody = z.output<typeof contactBody>["contact"];

/** A contact as returned. */
export const contactResponse = z.extend(responseOf(contactSchema), {
  contactKind: namedItem,
  /** Null also if the form's client is hidden from the caller. */
  formId: z.nullable(id()),
  userId: id(),
  user: person,
});
export type Contact = z.output<typeof contactResponse>;
/** `{"contact": {…}}` */
export const oneContact = z.object({ contact: contactResponse });

/** The filters of the list; `from` and `to` are inclusive days. */
export const contactListQuery = listQuery(
  ["contactedOn", "contactKind", "number", "minutes", "advocate"],
  { userId: idFilter(), contactKindId: idFilter(), from: dayFilter(), to: dayFilter() },
  { sort: "contactedOn", order: "desc" },
).check(
  z.refine(({ filters: { from, to } }) => !from || !to || from <= to, {
    path: ["filters", "to"],
    error: "must not be before From",
  }),
);
export type ContactListQuery = ReturnType<typeof contactListQuery.parse>;
