import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { to } from "@/lib/core/pages";
import { counted } from "@/lib/core/text/format";
import type { LongStay } from "@/lib/shelter/board";

/** The open stays that are unusually long, for which someone may have forgotten to move the client out. */
export function LongStays({ stays }: { stays: readonly LongStay[] }) {
  return (
    <Section
      title="Long stays"
      description="Are these clients still in shelter?"
      actions={
        <Link href={to("shelter")} className="link touch-link">
          All open stays
        </Link>
      }
    >
      <ul className="link-list -my-2 divide-y divide-line">
        {stays.map(({ id, initials, nights, shelter }) => (
          <li key={id} className="flex items-baseline justify-between gap-3 py-2">
            <Link href={to("staysEdit", { id })} className="link wrap-anywhere">
              {`${initials} · ${shelter}`}
            </Link>
            <span className="text-muted">{counted(nights, "night")}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
