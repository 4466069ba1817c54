import { useEffect } from "react";

/** Calls `report` when the page is printed, including from the browser's menu. */
export function usePrinted(report: () => Promise<unknown>) {
  useEffect(() => {
    // If recording fails, printing continues; the server logs the failure.
    const note = () => void report().catch(() => {});
    window.addEventListener("beforeprint", note);
    return () => window.removeEventListener("beforeprint", note);
  }, [report]);
}
