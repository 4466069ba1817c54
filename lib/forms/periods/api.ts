import { endpoint } from "@/lib/core/api/endpoint";
import { closedPeriods, closedPeriodsBody } from "@/lib/forms/periods/schema";

export const getClosedPeriods = endpoint("GET /api/closed_periods", {
  about: "Open to everyone who is signed in: screens must know which dates can still be changed.",
  permission: "signed-in",
  response: closedPeriods,
});

export const setClosedPeriods = endpoint("PUT /api/closed_periods", {
  permission: "close-periods",
  body: closedPeriodsBody,
  response: closedPeriods,
  audit: { entity: "closedPeriods", action: ["updated", "viewed"] },
});
