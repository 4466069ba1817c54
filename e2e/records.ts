import type { Page } from "@playwright/test";
import { expect } from "@/e2e/fixtures";

/** Creates a record through the API and returns the response's body. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any response
export async function createRecord(page: Page, path: string, data: object): Promise<any> {
  const response = await page.request.post(path, { data });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

/** Creates a Service form of a new or given client as the signed-in user, with half an hour of one service code. */
export async function makeServiceForm(
  page: Page,
  {
    client,
    serviceOn,
    code: wanted = "CRISIS",
  }: { client: string | { id: number }; serviceOn: string; code?: string },
): Promise<{ clientId: number; formId: number }> {
  const list = async (path: string) => (await page.request.get(path)).json();
  const clientId =
    typeof client === "string"
      ? (await createRecord(page, "/api/clients", { client: { name: client } })).client.id
      : client.id;
  const { formTypes } = await list("/api/resource_lists/form_types");
  const { id: formTypeId } = formTypes.find((type: { name: string }) => type.name === "Service");
  const { serviceCodes } = await list(`/api/resource_lists/service_codes/${formTypeId}`);
  const { id: serviceCodeId } = serviceCodes.find(({ code }: { code: string }) => code === wanted);
  const { form } = await createRecord(page, "/api/forms", {
    form: {
      clientId,
      formTypeId,
      serviceOn,
      serviceStatus: "Served",
      verbalConfirmation: true,
      serviceEntryAttributes: { serviceProvidedEntriesAttributes: [{ serviceCodeId, minutes: 30 }] },
    },
  });
  return { clientId, formId: form.id };
}
