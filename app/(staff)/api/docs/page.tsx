import { ApiDocs } from "@/components/description/api-docs";
import { PageTitle } from "@/components/shell/page-title";
import { PrintButton } from "@/components/ui/print-button";
import { PAGES } from "@/lib/core/pages";
import { PRODUCT_KEY } from "@/lib/core/product";
import { description } from "@/lib/description/document";
import { page } from "@/lib/page";

/** Renders the description of GET /api/openapi.json for people. */
export default page({
  permission: "signed-in",
  load: async () => description(),
  show: (description) => (
    <>
      <PageTitle
        title={PAGES.apiDocs.title}
        actions={
          <div className="flex items-center gap-4">
            <a className="link py-1" href="/api/openapi.json" download={`${PRODUCT_KEY}-openapi.json`}>
              OpenAPI
            </a>
            <PrintButton />
          </div>
        }
      />
      <ApiDocs description={description} />
    </>
  ),
});
