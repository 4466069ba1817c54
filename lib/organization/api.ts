import { endpoint } from "@/lib/core/api/endpoint";
import { organizationBody, organizationResponse } from "@/lib/organization/schema";

export const getOrganization = endpoint("GET /api/organization", {
  about: "Until someone saves others, the values are those of the server's environment.",
  permission: "organization",
  response: organizationResponse,
});

export const setOrganization = endpoint("PUT /api/organization", {
  about:
    "Requires a recent proof of identity, because everyone sees the result before signing in. An absent value stays as it is. A color or logo of null is that of the server's environment.",
  permission: "organization",
  proof: true,
  body: organizationBody,
  response: organizationResponse,
  errors: ["conflict_version"],
  audit: { entity: "organization", action: ["updated", "viewed"] },
});
