import { Problem } from "@/components/shell/problem";

/** Here as well as at the root, so that the header and the navigation stay. */
export default function NotFound() {
  return <Problem title="Not found" text="This page does not exist, or it is not yours to see." />;
}
