import { OrganizationForm } from "@/components/organization/organization-form";
import { PageTitle } from "@/components/shell/page-title";
import { PAGES } from "@/lib/core/pages";
import { env } from "@/lib/core/process/env";
import { shortDateTimeOfDay } from "@/lib/core/text/format";
import { readOrganization } from "@/lib/organization/organization";
import { page } from "@/lib/page";

/** The organization's name, logo, color, and help text. */
export default page({
  permission: "organization",
  load: async ({ actor }) => ({
    organization: await readOrganization(actor),
    timeZone: { name: env().TZ, now: shortDateTimeOfDay(new Date()) },
  }),
  show: (data) => (
    <>
      <PageTitle title={PAGES.organization.title} />
      <OrganizationForm {...data} />
    </>
  ),
});
