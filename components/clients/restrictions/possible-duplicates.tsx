import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { PossibleDuplicates as Pair } from "@/lib/clients/duplicates";
import { to } from "@/lib/core/pages";

/** Lists pairs of clients that an import may have recorded twice, with links to both records. */
export function PossibleDuplicates({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <Section
      title="Possible duplicates"
      className="print-hidden"
      description="These clients were imported with the same External Id. The first client is hidden from the person who imported the second. To merge the records, open one of them and choose Merge with…"
    >
      <ul className="link-list flex flex-col gap-1">
        {pairs.map(({ first, second }) => (
          <li key={`${first.id} ${second.id}`} className="wrap-anywhere">
            {[first, second].map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && " and "}
                <Link href={to("clientsShow", { id })} className="link">
                  {name}
                </Link>{" "}
                <span className="text-muted">(client {id})</span>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
