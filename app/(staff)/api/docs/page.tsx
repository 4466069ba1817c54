import { PageTitle } from "@/components/shell/page-title";
import { PrintButton } from "@/components/ui/print-button";
import { PAGES } from "@/lib/core/pages";
import { PRODUCT_KEY } from "@/lib/core/product";
import { descriptionHtml } from "@/lib/description/page";
import { page } from "@/lib/page";

/** Renders the description of GET /api/openapi.json for people. */
export default page({
  permission: "signed-in",
  load: async () => descriptionHtml(),
  show: (html) => (
    <>
      <PageTitle
        title={PAGES.apiDocs.title}
        actions={
          <div className="flex items-center gap-4">
            <a className="link touch-link" href="/api/openapi.json" download={`${PRODUCT_KEY}-openapi.json`}>
              OpenAPI
            </a>
            <PrintButton />
          </div>
        }
      />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: lib/description/page.ts escapes every value */}
      <div className="stack" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  ),
});
