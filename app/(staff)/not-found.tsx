import { landingOf } from "@/components/shell/menu";
import { Problem } from "@/components/shell/problem";
import { requireUser } from "@/lib/identity/page-session";

/** Defined here too, so that the header and the navigation stay. Redirects a guest to the login page. */
export default async function NotFound() {
  const home = landingOf(await requireUser());
  return (
    <Problem
      title="Not found"
      text="This page does not exist, or you do not have access to it."
      home={home}
    />
  );
}
