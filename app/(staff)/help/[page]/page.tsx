import { z } from "zod";
import { GuideDocument } from "@/components/guide/guide-page";
import { PageTitle } from "@/components/shell/page-title";
import { Link } from "@/components/ui/link";
import { PrintButton } from "@/components/ui/print-button";
import { PAGES, to } from "@/lib/core/pages";
import { GUIDE_PAGES } from "@/lib/guide/contents";
import { readGuide } from "@/lib/guide/guide";
import { page } from "@/lib/page";

export default page({
  permission: "signed-in",
  beforeTwoStep: true,
  params: z.object({ page: z.enum(GUIDE_PAGES) }),
  load: async ({ params }) => {
    const guide = await readGuide();
    const place = GUIDE_PAGES.indexOf(params.page);
    return { here: guide[place], previous: guide[place - 1], next: guide[place + 1] };
  },
  show: ({ here, previous, next }) =>
    here && (
      <>
        <PageTitle
          title={here.title}
          actions={
            <div className="flex items-center gap-4">
              <Link className="link touch-link" href={to("help")}>
                {PAGES.help.title}
              </Link>
              <PrintButton />
            </div>
          }
        />
        <GuideDocument text={here.text} previous={previous} next={next} />
      </>
    ),
});
