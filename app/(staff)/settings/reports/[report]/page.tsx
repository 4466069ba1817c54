import { SetupForm } from "@/components/reports/setup-form";
import { PageTitle } from "@/components/shell/page-title";
import { Link } from "@/components/ui/link";
import { PAGES, to } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { REPORT_KEYS, reports } from "@/lib/reports/definitions";
import { reportSegments } from "@/lib/reports/schema";
import { loadSetup } from "@/lib/reports/screen";

/** Maps the values of the settings lists to the lines of a report. */
export default page({
  permission: "reports-setup",
  params: reportSegments,
  load: async ({ actor, params, search }) => ({
    ...(await loadSetup(actor, params.report)),
    asked: search.kind,
  }),
  show: (screen) => (
    <>
      <PageTitle title={PAGES.reportsSetup.title} />
      <ul className="link-list mb-4 flex flex-wrap gap-x-4 gap-y-1">
        {REPORT_KEYS.map((key) => (
          <li key={key}>
            <Link
              className="link"
              href={to("reportsSetup", { report: key })}
              aria-current={key === screen.setup.report ? "page" : undefined}
            >
              {reports[key].title}
            </Link>
          </li>
        ))}
      </ul>
      <SetupForm key={screen.setup.report} {...screen} />
    </>
  ),
});
