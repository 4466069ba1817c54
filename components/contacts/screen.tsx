import type { RecordScreen } from "@/components/record/screens";
import { IconLink } from "@/components/ui/controls";
import { FormIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { can } from "@/lib/core/access/permissions";
import { isRecord } from "@/lib/core/objects";
import { to } from "@/lib/core/pages";
import { duration } from "@/lib/core/text/format";
import type { RecordItem } from "@/lib/declared-records/api-schema";

const kindOf = ({ contactKind }: RecordItem) => (isRecord(contactKind) ? String(contactKind.name) : "");

/** The screens of contacts also have the link to a form, and begin a form. */
export const contactScreen: RecordScreen = {
  words(contact) {
    const number = Number(contact.number);
    const minutes = Number(contact.minutes);
    const people = number > 1 ? [String(number)] : [];
    return [kindOf(contact), ...people, ...(minutes > 0 ? [duration(minutes)] : [])].join(", ");
  },
  cells: {
    contactKind: (contact) =>
      typeof contact.formId === "number" ? (
        <>
          {kindOf(contact)}{" "}
          <Link href={to("formsEdit", { id: contact.formId })} className="link">
            Form {contact.formId}
          </Link>
        </>
      ) : (
        kindOf(contact)
      ),
  },
  actions: ({ id, number, formId }, user) =>
    can(user, "forms") &&
    number === 1 &&
    formId === null && (
      <IconLink label="Start a form" icon={<FormIcon />} href={`${to("formsNew")}?contactId=${id}`} />
    ),
  prefilled: ({ contact_kinds: [first] = [] }) => ({ contactKindId: first?.id ?? null }),
  emptyWords: { turnedAwayReason: "No, sheltered" },
};
