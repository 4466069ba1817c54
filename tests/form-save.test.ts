import { act } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { draftValues } from "@/components/forms/draft-values";
import { useFormRecord } from "@/components/forms/use-form-record";
import { useFormSave } from "@/components/forms/use-form-save";
import { db } from "@/lib/core/database/client";
import type { ErrorCode } from "@/lib/core/errors";
import type { Draft } from "@/lib/forms/drafts/schema";
import { formLists, serviceCodesFor } from "@/lib/lookups/resources/lists";
import { actorFor, call, type Method } from "@/tests/call";
import { formTypeId, fullForm, makeClient, makeForm, makeUser } from "@/tests/factories";
import { renderHook } from "@/tests/render-hook";

// The hooks of the form screen, against the real API: route handlers respond to the browser's fetch.

const owner = await makeUser();
const actor = await actorFor(owner);
const lists = await formLists(actor);
const service = await formTypeId("Service");

type Sent = { call: string; key: string | null; draftKey: string | null };
let requests: Sent[];
/** The bodies of the responses so far, as JSON. */
let answers: string[];
/** Responses that replace the API's, one per call. "lost" does the work and loses the response. */
let instead: Record<string, ("lost" | ErrorCode)[]>;

const STATUS = { failed: 500, unavailable: 503, forbidden: 403 };

/** The signed-in user of the browser. */
let signedIn = owner;

beforeEach(() => {
  requests = [];
  answers = [];
  signedIn = owner;
  instead = {};
  vi.stubGlobal("fetch", async (path: string, init: RequestInit & { method: Method }) => {
    const headers = new Headers(init.headers);
    const name = `${init.method} ${path.replace(/\/(\d+|new-[\d-]+|form-[\d-]+)$/, "/{id}")}`;
    requests.push({ call: name, key: headers.get("idempotency-key"), draftKey: headers.get("draft-key") });
    const failure = instead[name]?.shift();
    if (failure && failure !== "lost")
      return Response.json(
        { error: "no", code: failure },
        { status: STATUS[failure as keyof typeof STATUS] },
      );
    const { status, body } = await call(signedIn.cookie, init.method, path, undefined, {
      raw: init.body ?? undefined,
      headers: Object.fromEntries(headers),
    });
    answers.push(JSON.stringify(body ?? null));
    if (failure === "lost") throw new TypeError("network");
    return status === 204 ? new Response(null, { status }) : Response.json(body, { status });
  });
});

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  vi.unstubAllGlobals();
});

/** The names of the calls that save records, without drafts. */
const saves = () =>
  requests.map((one) => one.call).filter((name) => !/drafts|resource_lists|compared|revealed|GET/.test(name));

async function open(formId?: number, draft: Draft | null = null) {
  const form = formId && (await call(owner.cookie, "GET", `/api/forms/${formId}`)).body.form;
  const client = form && (await call(owner.cookie, "GET", `/api/clients/${form.clientId}`)).body.client;
  const serviceCodes = form ? await serviceCodesFor(actor, form.formTypeId) : [];
  const onSaved = vi.fn();
  const hook = await renderHook(() => {
    const record = useFormRecord({
      userId: owner.id,
      lists,
      stored: form ? { form, client } : null,
      serviceCodes,
      recentCodes: [],
      draft,
      readDraft: draftValues,
    });
    return { record, save: useFormSave(record, async (_, __, isNew) => onSaved(isNew)) };
  });
  close = hook.unmount;
  return {
    onSaved,
    get record() {
      return hook.current.record;
    },
    get save() {
      return hook.current.save;
    },
    set: (values: Record<string, unknown>) =>
      act(async () => {
        for (const [name, value] of Object.entries(values)) {
          hook.current.record.form.setValue(name as "client.name", value as string);
        }
      }),
    submit: () => act(() => hook.current.save.submit()),
  };
}

const filled = { "client.name": "Ada Sample", "form.formTypeId": service, "form.serviceStatus": "Served" };
const storedForm = (id: number) => db().form.findUniqueOrThrow({ where: { id }, include: { client: true } });

describe("saving a form screen", () => {
  test("saves the new client, then the new form, and names the draft that is no longer needed", async () => {
    const screen = await open();
    await screen.set(filled);
    await screen.submit();
    expect(saves()).toEqual(["POST /api/clients", "POST /api/forms"]);
    expect(requests.at(-1)?.draftKey).toBe(screen.record.draft.key());
    expect(screen.onSaved).toHaveBeenCalledExactlyOnceWith(true);
    expect(screen.save).toMatchObject({ saving: false, failure: null, problems: [] });
  });

  test("sends nothing while the screen has errors, and lists each of them", async () => {
    const screen = await open();
    await screen.set({ "form.formTypeId": service });
    await screen.submit();
    expect(saves()).toEqual([]);
    expect(screen.save.problems.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["client.name", "form.serviceStatus"]),
    );
    expect(screen.onSaved).not.toHaveBeenCalled();
  });

  test("updates the stored client and form of an edit", async () => {
    const { id } = await makeForm(owner);
    const screen = await open(id);
    await screen.set({ "client.name": "Renamed Sample" });
    await screen.submit();
    expect(saves()).toEqual(["PUT /api/clients/{id}", "PUT /api/forms/{id}"]);
    expect(screen.onSaved).toHaveBeenCalledExactlyOnceWith(false);
    expect((await storedForm(id)).client.name).toBe("Renamed Sample");
  });

  test("starts only one save however often Save is pressed meanwhile", async () => {
    const { id } = await makeForm(owner);
    const screen = await open(id);
    await screen.set({ "client.name": "Pressed Twice" });
    let first: Promise<void> | undefined;
    await act(async () => {
      first = screen.save.submit();
    });
    await screen.submit();
    await act(async () => first);
    expect(saves()).toEqual(["PUT /api/clients/{id}", "PUT /api/forms/{id}"]);
  });
});

describe("a save that fails halfway", () => {
  test("updates the client it created and repeats the form under the same key", async () => {
    const screen = await open();
    await screen.set(filled);
    instead = { "POST /api/forms": ["unavailable"] };
    await screen.submit();
    expect(screen.save.failure?.messages).toContain("Nothing you typed is lost. Please try again.");
    await screen.submit();
    expect(saves()).toEqual([
      "POST /api/clients",
      "POST /api/forms",
      "PUT /api/clients/{id}",
      "POST /api/forms",
    ]);
    const keys = requests.filter((one) => one.call === "POST /api/forms").map(({ key }) => key);
    expect(keys[0]).toBe(keys[1]);
    expect(screen.save.failure).toBeNull();
  });

  test("creates no second client when the response to the first was lost", async () => {
    const clients = await db().client.count();
    const screen = await open();
    await screen.set({ ...filled, "client.name": "Lost Response" });
    instead = { "POST /api/clients": ["lost"] };
    await screen.submit();
    expect(screen.onSaved).not.toHaveBeenCalled();
    await screen.submit();
    expect(screen.onSaved).toHaveBeenCalledOnce();
    expect(await db().client.count()).toBe(clients + 1);
  });

  test("continues automatically when only the response to its own earlier save was lost", async () => {
    const { id } = await makeForm(owner);
    const screen = await open(id);
    await screen.set({ "form.intakeForm.referralSourceName": "Officer Sample" });
    instead = { "PUT /api/forms/{id}": ["lost"] };
    await screen.submit();
    expect(screen.save.failure).not.toBeNull();
    await screen.submit();
    expect(screen.onSaved).toHaveBeenCalledOnce();
    expect(screen.save.conflict.conflict).toBeNull();
  });
});

describe("the verbal confirmation of a stored client", () => {
  const BOX = "form.verbalConfirmation";
  const REFUSED = "PUT /api/forms/{id}";

  /** Opens a form whose box and client say No, and ticks the box. */
  async function ticked() {
    const { id, clientId } = await makeForm(owner, { verbalConfirmation: false });
    const screen = await open(id);
    await screen.set({ [BOX]: true });
    const client = () => db().client.findUniqueOrThrow({ where: { id: clientId } });
    return { id, screen, consent: async () => (await client()).verbalConfirmation };
  }

  test("is set after the form is saved, and not at all while it is refused", async () => {
    const { screen, consent } = await ticked();
    instead = { [REFUSED]: ["forbidden"] };
    await screen.submit();
    expect([screen.save.failure !== null, await consent()]).toEqual([true, false]);
    await screen.submit();
    expect([screen.onSaved.mock.calls.length, await consent()]).toEqual([1, true]);
    expect(saves().slice(-3)).toEqual(["PUT /api/clients/{id}", REFUSED, "PUT /api/clients/{id}"]);
  });

  test("stays No if the box is unticked again after a refusal", async () => {
    const { id, screen, consent } = await ticked();
    instead = { [REFUSED]: ["forbidden"] };
    await screen.submit();
    await screen.set({ [BOX]: false });
    await screen.submit();
    expect([screen.onSaved.mock.calls.length, await consent()]).toEqual([1, false]);
    expect((await storedForm(id)).verbalConfirmation).toBe(false);
  });

  test.each(["lost", "unavailable"] as const)(
    "is set by the next attempt if its own request was %s",
    async (failure) => {
      const { screen, consent } = await ticked();
      const client = "PUT /api/clients/{id}";
      // The first request saves the client, the second one the confirmation.
      const failures: ("lost" | ErrorCode)[] = [];
      vi.spyOn(failures, "shift").mockReturnValueOnce(undefined).mockReturnValueOnce(failure);
      instead = { [client]: failures };
      await screen.submit();
      expect(screen.onSaved).not.toHaveBeenCalled();
      await screen.submit();
      expect([screen.onSaved.mock.calls.length, await consent()]).toEqual([1, true]);
    },
  );

  test("is not set again by a save of a form that had the box ticked, after the client took it back", async () => {
    const { screen, consent, id } = await ticked();
    await screen.submit();
    const { clientId, client } = await storedForm(id);
    await call(owner.cookie, "PUT", `/api/clients/${clientId}`, {
      client: { name: client.name, verbalConfirmation: false },
    });
    await close?.();
    const again = await open(id);
    await again.set({ "form.intakeForm.referralSourceName": "Officer Sample" });
    await again.submit();
    expect([again.onSaved.mock.calls.length, await consent()]).toEqual([1, false]);
  });

  test("is that of the form for a new client, also if it is unticked after a refusal", async () => {
    const screen = await open();
    await screen.set({ ...filled, [BOX]: true });
    instead = { "POST /api/forms": ["forbidden"] };
    await screen.submit();
    const id = screen.record.form.getValues("clientId") ?? 0;
    const consent = async () => (await db().client.findUniqueOrThrow({ where: { id } })).verbalConfirmation;
    expect(await consent()).toBe(true);
    await screen.set({ [BOX]: false });
    await screen.submit();
    expect([screen.onSaved.mock.calls.length, await consent()]).toEqual([1, false]);
  });
});

describe("a save that conflicts with another user's change", () => {
  test("offers the fields that differ, and saves the chosen values", async () => {
    const { id, clientId } = await makeForm(owner);
    const screen = await open(id);
    await call(owner.cookie, "PUT", `/api/clients/${clientId}`, { client: { name: "Their Name" } });
    await screen.set({ "client.name": "My Name" });
    await screen.submit();
    expect(screen.save.failure).toMatchObject({ changed: "client" });
    await act(() => screen.save.compare("client"));
    expect(screen.save.conflict.conflict?.found).toMatchObject([
      { name: "client.name", theirs: { text: "Their Name" }, mine: { text: "My Name" }, bothChanged: true },
    ]);
    await act(async () => screen.save.conflict.conflict?.merge(() => true));
    await screen.submit();
    expect(screen.onSaved).toHaveBeenCalledOnce();
    expect((await storedForm(id)).client.name).toBe("Their Name");
  });

  describe("of a phone number", () => {
    const PHONE = "client.clientBiographicalEntry.phoneNumber";
    const revealed = (entityId: number) => db().auditEvent.count({ where: { action: "revealed", entityId } });

    /** Opens a form, changes the client's number behind its back and here, and compares. */
    async function conflicting(mine: string) {
      const made = await makeClient(owner);
      const form = await makeForm(owner, await fullForm("Survivor", made.id), made.id);
      const { id, clientId } = form;
      const put = (clientBiographicalEntryAttributes: object) =>
        call(owner.cookie, "PUT", `/api/clients/${clientId}`, {
          client: { name: form.client.name, clientBiographicalEntryAttributes },
        });
      await put({ phoneNumber: "(814) 555-0100" });
      const screen = await open(id);
      await put({ phoneNumber: "(814) 555-0199", city: "Erie" });
      await screen.set({ [PHONE]: mine });
      answers = [];
      await screen.submit();
      await act(() => screen.save.compare("client"));
      const stored = async () =>
        (await db().clientBiographicalEntry.findFirstOrThrow({ where: { clientId } })).phoneNumber;
      return { screen, clientId, stored };
    }
    type Screen = Awaited<ReturnType<typeof open>>;
    const found = (screen: Screen) => screen.save.conflict.conflict?.found.map(({ name }) => name);
    const shown = (screen: Screen) =>
      screen.save.conflict.conflict?.found.find(({ name }) => name === PHONE)?.theirs.text;

    test("has the other number only after it is requested, which is recorded", async () => {
      const { screen, clientId } = await conflicting("(814) 555-0122");
      expect([shown(screen), answers.join()]).toEqual([
        "(•••) •••-••••",
        expect.not.stringContaining("555-0199"),
      ]);
      expect(await revealed(clientId)).toBe(0);
      await act(async () => void (await screen.save.conflict.conflict?.phone?.reveal()));
      expect([shown(screen), await revealed(clientId)]).toEqual(["(814) 555-0199", 1]);
      await act(async () => screen.save.conflict.conflict?.merge((name) => name === PHONE));
      expect(screen.record.form.getValues(PHONE)).toBe("(814) 555-0199");
    });

    test("fills the field with the other number if it is chosen unseen, and records that", async () => {
      const { screen, clientId, stored } = await conflicting("(814) 555-0122");
      await act(async () => screen.save.conflict.conflict?.merge(() => true));
      expect([screen.record.form.getValues(PHONE), await revealed(clientId)]).toEqual(["(814) 555-0199", 1]);
      await screen.submit();
      expect([screen.onSaved.mock.calls.length, await stored()]).toEqual([1, "(814) 555-0199"]);
    });

    test("saves the typed number if that is chosen, without having had the other", async () => {
      const { screen, clientId, stored } = await conflicting("(814) 555-0122");
      await act(async () => screen.save.conflict.conflict?.merge(() => false));
      await screen.submit();
      expect([screen.onSaved.mock.calls.length, await stored()]).toEqual([1, "(814) 555-0122"]);
      expect([await revealed(clientId), JSON.stringify(screen.record.base.current)]).toEqual([
        0,
        expect.not.stringContaining("•"),
      ]);
    });

    test("is none if both typed the same number", async () => {
      const { screen } = await conflicting("(814) 555-0199");
      expect(found(screen)).not.toContain(PHONE);
    });
  });

  test("keeps the entered values as a new form if the form was deleted", async () => {
    const { id } = await makeForm(owner);
    const screen = await open(id);
    await call(owner.cookie, "DELETE", `/api/forms/${id}`);
    await screen.submit();
    expect(screen.save.failure).toMatchObject({ removed: "form" });
    await act(async () => screen.save.keepAsNew("form"));
    await screen.submit();
    // The new form confirms the client.
    expect(saves().slice(-2)).toEqual(["POST /api/forms", "PUT /api/clients/{id}"]);
    expect(screen.onSaved).toHaveBeenCalledOnce();
  });
});

describe("the service codes of a form screen", () => {
  const CODES = "GET /api/resource_lists/service_codes/{id}";

  test("are fetched once per form type", async () => {
    const screen = await open();
    for (const type of [service, null, service]) await act(() => screen.record.codes.load(type));
    expect(requests.filter((one) => one.call === CODES)).toHaveLength(1);
    expect(screen.record.codes.offered).toEqual(await serviceCodesFor(actor, service));
  });

  test("are fetched again by a save, which sends nothing without them", async () => {
    const screen = await open();
    instead = { [CODES]: ["failed", "failed"] };
    await screen.set(filled);
    await act(() => screen.record.codes.load(service));
    expect(screen.record.codes.state).toBe("failed");
    await screen.submit();
    expect(saves()).toEqual([]);
    expect(screen.save.failure?.messages[0]).toBe("The service codes could not be loaded.");
    await screen.submit();
    expect(saves()).toEqual(["POST /api/clients", "POST /api/forms"]);
  });
});

describe("the draft of a form screen", () => {
  test("is saved when the user leaves the page, and continues with the same values and key", async () => {
    const screen = await open();
    await screen.set({ "client.name": "Half Typed" });
    await close?.();
    close = undefined;
    await vi.waitUntil(() => db().draft.findFirst({ where: { key: screen.record.draft.key() } }));
    const { draft } = (await call(owner.cookie, "GET", `/api/drafts/${screen.record.draft.key()}`)).body;
    const next = await open(undefined, draft);
    expect(next.record.draft.key()).toBe(screen.record.draft.key());
    expect(next.record.form.getValues("client.name")).toBe("Half Typed");
  });

  test("is deleted by the save that makes it obsolete", async () => {
    const screen = await open();
    await screen.set({ ...filled, "client.name": "Draft Then Saved" });
    await screen.submit();
    expect(requests.map((one) => one.call)).toContain("PUT /api/drafts/{id}");
    expect(await db().draft.findFirst({ where: { key: screen.record.draft.key() } })).toBeNull();
  });

  test("is stored for the user who typed it, also after another user has signed in in between", async () => {
    const screen = await open();
    await screen.set({ "client.name": "Typed Before" });
    const next = await makeUser();
    signedIn = next;
    await act(() => screen.record.draft.check());
    expect(screen.record.draft.state).toBe("failed");
    expect(await db().draft.count({ where: { userId: next.id } })).toBe(0);
    signedIn = owner;
    await act(() => screen.record.draft.check());
    const key = screen.record.draft.key();
    expect(await db().draft.count({ where: { userId: owner.id, key } })).toBe(1);
  });

  test("that was saved elsewhere is stored as another one, and its form is saved only after a question", async () => {
    const screen = await open();
    await screen.set({ ...filled, "client.name": "In Two Places" });
    await act(() => screen.record.draft.check());
    const key = screen.record.draft.key();
    await call(owner.cookie, "DELETE", `/api/drafts/${key}`);
    await screen.submit();
    expect(saves()).toEqual([]);
    expect(screen.save.failure).toMatchObject({ isElsewhere: true });
    expect(screen.record.draft.isElsewhere).toBe(true);
    await screen.set({ "client.name": "In Two Places Again" });
    await act(() => screen.record.draft.check());
    expect(await db().draft.count({ where: { key } })).toBe(0);
    expect(await db().draft.count({ where: { key: screen.record.draft.key() } })).toBe(1);
    await act(() => screen.save.saveSeparately());
    expect(saves()).toEqual(["POST /api/clients", "POST /api/forms"]);
    expect(await db().draft.count({ where: { key: screen.record.draft.key() } })).toBe(0);
  });

  test("that is typed on two pages is stored as two drafts", async () => {
    const screen = await open();
    await screen.set({ "client.name": "First Page" });
    await act(() => screen.record.draft.check());
    const key = screen.record.draft.key();
    const read = async (key: string) => (await call(owner.cookie, "GET", `/api/drafts/${key}`)).body.draft;
    const page = { userId: owner.id, id: "second", updatedAt: (await read(key)).updatedAt };
    const draft = { content: { client: { name: "Second Page" } }, page };
    expect((await call(owner.cookie, "PUT", `/api/drafts/${key}`, { draft })).status).toBe(200);
    await screen.set({ "client.name": "First Page Again" });
    for (let save = 0; save < 2; save += 1) await act(() => screen.record.draft.check());
    expect(screen.record.draft.isElsewhere).toBe(true);
    expect((await read(key)).content.client.name).toBe("Second Page");
    expect((await read(screen.record.draft.key())).content.client.name).toBe("First Page Again");
  });

  test("is not kept while it has nothing but a type", async () => {
    const screen = await open();
    const drafts = () => db().draft.count({ where: { key: screen.record.draft.key() } });
    const unsaved = () => screen.record.isUnsaved(screen.record.form.getValues(), screen.record.rules);
    for (const name of ["Service", "Phone", "Survivor", "Legal Advocacy"] as const) {
      await screen.set({ "form.formTypeId": await formTypeId(name) });
      await act(() => screen.record.draft.check());
      expect([name, unsaved(), await drafts()]).toEqual([name, false, 0]);
    }
    await screen.set({ "client.name": "Typed Something" });
    await act(() => screen.record.draft.check());
    expect([unsaved(), await drafts()]).toEqual([true, 1]);
  });

  test("is not taken for one that was saved elsewhere if responses were lost", async () => {
    const screen = await open();
    await screen.set({ ...filled, "client.name": "Lost Twice" });
    instead = { "PUT /api/drafts/{id}": ["lost"], "POST /api/forms": ["lost"] };
    await act(() => screen.record.draft.check());
    await screen.submit();
    expect(screen.save.failure).not.toBeNull();
    await screen.set({ "client.name": "Lost Twice, Edited" });
    await act(() => screen.record.draft.check());
    await screen.submit();
    expect(screen.record.draft.isElsewhere).toBe(false);
    expect(screen.onSaved).toHaveBeenCalledOnce();
  });
});
