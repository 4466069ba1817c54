import * as z from "zod/mini";
import { dayFilter, filter, idFilter, listQuery } from "@/lib/core/api/list-query";
import { moment, namedItem, person } from "@/lib/core/api/response";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { wireBody } from "@/lib/core/fields/wire";
import { isRecord } from "@/lib/core/objects";
import { formSchema, newFormSchema } from "@/lib/forms/schema";
import { legal } from "@/lib/forms/sections/legal";
import { services } from "@/lib/forms/sections/services";
import { FORM_STATUSES, SERVICE_STATUSES, type ServiceStatusName } from "@/lib/forms/words";
import { formType, serviceCode } from "@/lib/lookups/api-schema";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

const recordAt = (value: unknown, key: string) => {
  const inner = isRecord(value) ? value[key] : null;
  return isRecord(inner) ? inner : null;
};

/** Removes the parts of a form that the rules clear in any case, so that they cause no validation errors. */
function withoutCleared(form: unknown): unknown {
  if (!isRecord(form)) return form;
  const intakeForm = recordAt(form, "intakeForm");
  const entry = recordAt(intakeForm, "legalAdvocacyEntry");
  return {
    ...form,
    ...(form.serviceStatus === ("Served" satisfies ServiceStatusName) && { serviceStatusEntry: null }),
    ...(intakeForm &&
      typeof entry?.placeOfService === "string" && {
        intakeForm: {
          ...intakeForm,
          legalAdvocacyEntry: legal.clear({ ...entry, placeOfService: entry.placeOfService }),
        },
      }),
  };
}

/** A form with plain field names. Input from every source is validated by this schema. */
export const formValues = z.pipe(z.transform(withoutCleared), formSchema);

const prepared = (body: unknown) => (isRecord(body) ? { form: withoutCleared(body.form) } : body);

/** The body of `PUT /api/forms/{id}`. */
export const formBody = wireBody(z.object({ form: formSchema }), prepared);

/** The body of `POST /api/forms`. */
export const newFormBody = wireBody(z.object({ form: newFormSchema }), prepared);

/** The return of a form to its advocate; `by` is null if that account no longer exists. */
const formReturn = z.object({ by: z.nullable(person), at: moment, comment: z.string() });

/** A comment of the conversation about a form; `by` is null if that account no longer exists. */
export const formComment = z.object({ id: id(), at: moment, by: z.nullable(person), text: z.string() });
export type FormComment = z.output<typeof formComment>;

/** Each row is returned with its service code and the id of its parent. */
const servicesResponse = z.extend(responseOf(services.schema), {
  serviceProvidedEntries: z.array(
    z.extend(responseOf(services.provided), { serviceEntryId: id(), serviceCode }),
  ),
});

/** A form as returned. */
export const formResponse = z.extend(responseOf(formSchema), {
  serviceEntry: z.nullable(servicesResponse),
  reconciled: z.boolean(),
  /**
   * Also null if the reviewer's account no longer exists, or if the form was reconciled before reviewers were
   * recorded.
   */
  reconciledBy: z.nullable(person),
  reconciledAt: z.nullable(moment),
  returned: z.nullable(formReturn),
  /** Oldest first. The comments of returns are among them, and they stay after the form is reconciled. */
  comments: z.array(formComment),
  userId: id(),
  user: person,
  client: namedItem,
  formType,
  /** The group session that wrote the form; null too if the caller may not see the group. */
  groupSession: z.nullable(z.object({ id: id(), groupId: id(), groupName: z.string() })),
});
export type Form = z.output<typeof formResponse>;
/** `{"form": {…}}` */
export const oneForm = z.object({ form: formResponse });

/** A row of the forms list, with only the fields the list shows. */
export const formListItem = z.extend(
  z.pick(formResponse, {
    id: true,
    client: true,
    user: true,
    serviceStatus: true,
    serviceOn: true,
    reconciled: true,
  }),
  {
    // A purged client has no page to link to.
    client: z.extend(namedItem, { purged: z.boolean() }),
    formType: namedItem,
    /** True if the form is returned to its advocate. */
    isReturned: z.boolean(),
  },
);
export type FormListItem = z.output<typeof formListItem>;

const formStatusFilter = z.pipe(
  z.optional(z.union([z.enum([...FORM_STATUSES, "all"]), z.literal("")])),
  z.transform((value) => value || "unreconciled"),
);

/** A filter that is on only if it is `true`. */
const onlyFilter = () =>
  z.pipe(
    z.optional(z.enum(["true", "false", ""])),
    z.transform((value) => value === "true"),
  );

/** The filters of the forms list; `from` and `to` are inclusive days of service. */
export const formListQuery = listQuery(
  ["client", "advocate", "formType", "serviceStatus", "serviceOn"],
  {
    formStatus: formStatusFilter,
    userId: idFilter(),
    formTypeId: idFilter(),
    serviceStatus: filter(z.enum(SERVICE_STATUSES)),
    clientId: idFilter(),
    from: dayFilter(),
    to: dayFilter(),
    /** Only returned forms that wait for their advocate. */
    returned: onlyFilter(),
    /** Only unreconciled forms that the caller returned and the advocate has answered or changed since. */
    answered: onlyFilter(),
  },
  { sort: "serviceOn", order: "desc" },
).check(
  z.refine(({ filters: { from, to } }) => !from || !to || from <= to, {
    path: ["filters", "to"],
    error: "must not be before From",
  }),
);
