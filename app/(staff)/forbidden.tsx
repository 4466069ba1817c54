import { landingOf } from "@/components/shell/menu";
import { Problem } from "@/components/shell/problem";
import { requireUser } from "@/lib/identity/page-session";

export default async function Forbidden() {
  const home = landingOf(await requireUser());
  return <Problem title="No permission" text="You do not have permission to do that." home={home} />;
}
