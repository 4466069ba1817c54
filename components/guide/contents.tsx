import { Button, SearchBox } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { QueryForm } from "@/components/ui/query-form";
import { to } from "@/lib/core/pages";
import { counted } from "@/lib/core/text/format";
import type { GuideContents, GuideHit } from "@/lib/guide/guide";

/** The contents of the guide by reader, with a search of its texts. `hits` is null before a search. */
export function Contents({
  search,
  hits,
  contents,
  help,
}: {
  search: string;
  hits: readonly GuideHit[] | null;
  contents: GuideContents;
  /** The organization's help line; "" if there is none. */
  help: string;
}) {
  return (
    <div className="stack">
      <QueryForm action={to("help")} className="flex gap-2">
        <SearchBox name="search" label="Search the guide" className="flex-1" defaultValue={search} />
        <Button type="submit">Search</Button>
      </QueryForm>
      {hits && (
        <section className="card p-4" aria-labelledby="guide-results">
          <div role="status">
            <h2 id="guide-results" className="mb-2 font-semibold text-lg">
              {hits.length === 0 ? "No results." : counted(hits.length, "page")}
            </h2>
          </div>
          <ul className="stack">
            {hits.map(({ title, href, excerpt }) => (
              <li key={href}>
                <Link href={href} className="link touch-link font-medium">
                  {title}
                </Link>
                <p className="text-muted text-sm wrap-anywhere">{excerpt}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="-mb-4 gap-4 sm:columns-2 lg:columns-3">
        {contents.map(({ reader, pages }) => (
          <section key={reader} className="card mb-4 break-inside-avoid p-4" aria-label={reader}>
            <h2 className="mb-1 font-semibold text-lg">{reader}</h2>
            <ul className="link-list">
              {pages.map(({ name, title }) => (
                <li key={name}>
                  <Link href={to("helpPage", { page: name })} className="link py-1">
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {help && <p className="text-muted text-sm">{help}</p>}
    </div>
  );
}
