import { LinkButton } from "@/components/ui/controls";
import { to } from "@/lib/core/pages";
import type { Form } from "@/lib/forms/api-schema";

/** Leads from a form to the group session that wrote it. */
export const SessionLink = ({ id, groupId }: NonNullable<Form["groupSession"]>) => (
  <LinkButton href={to("sessionsEdit", { id: groupId, sessionId: id })}>Session</LinkButton>
);
