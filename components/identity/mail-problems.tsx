import { AlertIcon } from "@/components/ui/icons";
import type { MailProblem } from "@/lib/identity/schema";

const LINK = "Use Reset Password to send a new one.";
const NOTICE = "It announced a change to how they sign in. Please tell them another way.";

/** Lists undelivered emails by user, with advice; renders nothing if there are none. Rendered on the server. */
export function MailProblems({ problems }: { problems: MailProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-labelledby="mail-problems" className="card stack mb-4 border-warning bg-warning-soft p-4">
      <h2 id="mail-problems" className="flex items-center gap-2 font-semibold text-warning">
        <AlertIcon />
        Undelivered email
      </h2>
      <ul className="flex flex-col gap-2">
        {problems.map(({ userId, name, queuedAt, gaveUp, reason }) => (
          <li key={`${name} ${queuedAt}`} className="wrap-anywhere">
            {gaveUp
              ? `The email to ${name} could not be delivered. ${userId === null ? NOTICE : LINK}`
              : `The email to ${name} has not been delivered yet. The server is trying again.`}
            <span className="block text-muted text-sm">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
