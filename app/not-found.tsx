import { Problem } from "@/components/shell/problem";

export default function NotFound() {
  return <Problem title="Not found" text="This page does not exist, or it is not yours to see." />;
}
