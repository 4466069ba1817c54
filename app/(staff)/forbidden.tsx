import { Problem } from "@/components/shell/problem";

export default function Forbidden() {
  return <Problem title="No permission" text="You do not have permission to do that." />;
}
