import { redirect } from "next/navigation";
import { Contents } from "@/components/guide/contents";
import { PageTitle } from "@/components/shell/page-title";
import { branding } from "@/lib/core/branding/branding";
import { PAGES, to } from "@/lib/core/pages";
import { guidePageOf, readContents, searchGuide } from "@/lib/guide/guide";
import { page } from "@/lib/page";
import { matchRoute } from "@/lib/paths";

/** The contents of the guide. With `?at=` and the path of a screen, redirects to that screen's page. */
export default page({
  permission: "signed-in",
  beforeTwoStep: true,
  load: async ({ search: { at, search = "" } }) => {
    // An empty path would match the login page.
    const match = at ? matchRoute(String(at)) : null;
    if (match) redirect(to("helpPage", { page: guidePageOf(match.route) }));
    const words = String(search).trim();
    const hits = words ? await searchGuide(words) : null;
    return { search: words, hits, contents: await readContents(), help: (await branding()).help };
  },
  show: (props) => (
    <>
      <PageTitle title={PAGES.help.title} />
      <Contents {...props} />
    </>
  ),
});
