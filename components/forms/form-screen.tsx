"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { flushSync } from "react-dom";
import { FormProvider, type Path, type Resolver, useForm, useWatch } from "react-hook-form";
import { ConflictDialog } from "@/components/forms/conflict-dialog";
import { DetailsSection } from "@/components/forms/details-section";
import { type Difference, differences, merged, type Versions } from "@/components/forms/differences";
import { draftValues } from "@/components/forms/draft-values";
import { ErrorSummary, inPageOrder, type Problem } from "@/components/forms/error-summary";
import { SectionFields } from "@/components/forms/fields";
import { PrintView } from "@/components/forms/print-view";
import { SaveBar } from "@/components/forms/save-bar";
import { SectionCard } from "@/components/forms/section-card";
import { SectionNav } from "@/components/forms/section-nav";
import { SECTIONS } from "@/components/forms/sections";
import { ServicesSection } from "@/components/forms/services-section";
import { UnopenedDraft } from "@/components/forms/unopened-draft";
import { useDraft } from "@/components/forms/use-draft";
import {
  type Base,
  blankClient,
  blankForm,
  check,
  clientValues,
  type FormValues,
  fingerprint,
  formTypeOf,
  formValues,
  nestedErrors,
  openFormType,
  type Payload,
  type Rules,
  rekeyed,
  screenPath,
  tableRows,
  unstoredClient,
  unstoredForm,
} from "@/components/forms/values";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { FormBody } from "@/components/ui/form-body";
import { useNotify } from "@/components/ui/notifications";
import { ApiError, call, isCode, messagesOf } from "@/lib/api/client";
import { clientCreation } from "@/lib/clients/creation";
import { type Client, clientSchema } from "@/lib/clients/schema";
import type { Draft } from "@/lib/drafts/schema";
import { toWire } from "@/lib/fields/wire";
import { formCreation } from "@/lib/forms/creation";
import { type Form, formMessages, formSchema, recordsNoTime } from "@/lib/forms/schema";
import type { ServiceCode } from "@/lib/forms/types";
import type { FormLists } from "@/lib/lookups/schema";

export type FormScreenProps = {
  lists: FormLists;
  organisation: string;
  /** The signed-in user's name, whose form a new one will be. */
  userName: string;
  /** What is edited; null for a new form. */
  stored: { form: Form; client: Client } | null;
  /** The codes of the form type that the screen opens with. */
  serviceCodes: ServiceCode[];
  /** The draft that is continued. */
  draft: Draft | null;
  /** The list as the user left it. */
  back: string;
};

/** The two records that a save writes, one after the other. */
type Saved = "client" | "form";

/** A refused save: what to say, and which record somebody else has changed or removed meanwhile. */
type Failure = { messages: string[]; changed?: Saved; gone?: Saved };

/** What somebody else has saved meanwhile, and how to put it together with what is typed here. */
type Conflict = {
  found: Difference[];
  merge: (takesTheirs: (name: string) => boolean) => void;
};

/** Each edit has a draft of its own: one that is begun anew does not replace what an earlier one has left. */
const newDraftKey = (form: Form | undefined) =>
  `${form ? `form-${form.id}` : "new"}-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;

/** The form screen, new or edit (spec §2–§5): one form over client and form, saved one after the other. */
export function FormScreen({
  lists,
  organisation,
  userName,
  stored,
  serviceCodes,
  draft,
  back,
}: FormScreenProps) {
  const router = useRouter();
  const notify = useNotify();
  const [saved, setSaved] = useState(stored?.form ?? null);
  const codes = useServiceCodes(openFormType(draft, stored?.form ?? null), serviceCodes);
  const rules = useMemo<Rules>(() => {
    const rows = tableRows(saved, codes.offered);
    return { lists, rows, codes: new Map(rows.map(({ code }) => [code.id, code])) };
  }, [lists, saved, codes.offered]);
  const latestRules = useRef(rules);
  latestRules.current = rules;

  const [resolver] = useState(
    () =>
      ((values) => {
        const checked = check(values, latestRules.current);
        return "payload" in checked
          ? { values: checked.payload, errors: {} }
          : { values: {}, errors: nestedErrors(checked.problems) };
      }) as Resolver<FormValues, unknown, Payload>,
  );
  const [initial] = useState<FormValues>(() => ({
    useExistingClient: false,
    clientId: stored?.client.id ?? null,
    client: stored ? clientValues(stored.client) : blankClient(),
    form: stored ? formValues(stored.form, lists) : blankForm(lists),
  }));
  const [continued] = useState(() => draft && draftValues(draft, initial, stored?.form ?? null));
  const form = useForm<FormValues, unknown, Payload>({
    mode: "onBlur",
    resolver,
    // The field that comes first on the page is focused, not the one that was registered first.
    shouldFocusError: false,
    defaultValues: continued?.values ?? initial,
  });

  const [baseline, setBaseline] = useState(() => fingerprint(initial, rules));
  const base = useRef<Base>(continued?.base ?? { client: initial.client, form: initial.form });
  const [draftKey] = useState(() => draft?.key ?? newDraftKey(stored?.form));
  const kept = useDraft({
    key: draftKey,
    formId: saved?.id ?? null,
    getValues: () => ({ ...form.getValues(), base: base.current }),
    isDirty: () => fingerprint(form.getValues(), latestRules.current) !== baseline,
  });
  const { schedule } = kept;
  useEffect(() => form.subscribe({ formState: { values: true }, callback: schedule }), [form, schedule]);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [createClient] = useState(clientCreation);
  const [createForm] = useState(formCreation);
  const [saving, setSaving] = useState(false);
  const [leaving, startLeaving] = useTransition();

  function block(byName: Record<string, string>) {
    setProblems(inPageOrder(byName));
  }

  // Once they are marked and open again.
  useEffect(() => {
    if (saving || problems.length === 0) return;
    const timer = setTimeout(() => {
      document.querySelector<HTMLElement>('#form-screen [aria-invalid="true"]')?.focus();
    });
    return () => clearTimeout(timer);
  }, [problems, saving]);

  async function save(payload: Payload, adoptions = 2): Promise<void> {
    let at: Saved = "client";
    try {
      await kept.hold(async () => {
        const { client } = await saveClient(payload);
        // From here on the client is there: another try updates it and never makes a second one.
        form.setValue("clientId", client.id);
        form.setValue("client.lockVersion", client.lockVersion);
        base.current = { ...base.current, client: clientValues(client) };
        at = "form";
        await saveForm(client.id, payload);
      });
    } catch (error) {
      const again = adoptions > 0 && isOutdated(error, at) && (await adopt(at));
      return again ? save(again, adoptions - 1) : refuse(error, at);
    }
    setBaseline(fingerprint(form.getValues(), latestRules.current));
    const done = saved ? formMessages.updated : formMessages.created;
    notify.success(recordsNoTime(payload.form) ? [done, formMessages.noTime] : done);
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }

  function saveClient({ clientId, client }: Payload): Promise<{ client: Client }> {
    const body = { client: toWire(clientSchema, client) };
    return clientId === null
      ? createClient(body)
      : call("PUT /api/clients/{id}", { params: { id: clientId }, body });
  }

  function saveForm(clientId: number, payload: Payload): Promise<{ form: Form }> {
    const body = { form: toWire(formSchema, { ...payload.form, clientId }) };
    return saved
      ? call("PUT /api/forms/{id}", { params: { id: saved.id }, body, draftKey })
      : createForm(body, { draftKey });
  }

  /** Whether the record was there before, so that somebody else can have saved (409) or removed (404) it. */
  const wasStored = (at: Saved) => (at === "client" ? form.getValues("clientId") : saved) !== null;
  const isOutdated = (error: unknown, at: Saved): boolean =>
    isCode(error, "conflict_version") && wasStored(at);

  function refuse(error: unknown, at: Saved) {
    const fields = Object.entries(error instanceof ApiError ? error.fields : {}).map(
      ([path, message]): [string, string] => [
        screenPath(path, form.getValues(), latestRules.current),
        message,
      ],
    );
    for (const [name, message] of fields)
      form.setError(name as Path<FormValues>, { type: "server", message });
    if (fields.length > 0) block(Object.fromEntries(fields));
    if (isCode(error, "not_found") && wasStored(at)) return setFailure({ messages: [GONE[at]], gone: at });
    setFailure({
      messages: failureMessages(error, fields.length > 0),
      changed: isOutdated(error, at) ? at : undefined,
    });
  }

  /** Goes on with what was removed as a new record. */
  function keepAsNew(gone: Saved) {
    if (gone === "form") {
      form.setValue("form", unstoredForm(form.getValues("form")));
      setSaved(null);
    } else {
      form.setValue("client", unstoredClient(form.getValues("client")));
      form.setValue("clientId", null);
      form.setValue("useExistingClient", false);
    }
    setFailure(null);
  }

  async function submit() {
    if (saving || leaving) return;
    setSaving(true);
    setProblems([]);
    setFailure(null);
    if (!(await codes.loaded()) && !(await codes.retry())) {
      // Without the codes, the minutes at them would be left out.
      setFailure({ messages: ["The service codes could not be loaded.", KEPT] });
      setSaving(false);
      return;
    }
    await form.handleSubmit(
      (payload) => save(payload),
      () => {
        const checked = check(form.getValues(), latestRules.current);
        block("problems" in checked ? checked.problems : {});
      },
    )();
    setSaving(false);
  }

  async function compare(changed: Saved) {
    try {
      setConflict(await conflictWith(changed));
    } catch (error) {
      setFailure({ messages: messagesOf(error), changed });
    }
  }

  /**
   * Goes on from the stored record where nothing of it differs from what is typed here: it was saved with another
   * form, or by this screen and the answer was lost. What to send then; null when there is something to choose.
   */
  async function adopt(changed: Saved): Promise<Payload | null> {
    const conflict = await conflictWith(changed).catch(() => null);
    if (!conflict || conflict.found.length > 0) return null;
    flushSync(() => conflict.merge(() => false));
    const checked = check(form.getValues(), latestRules.current);
    return "payload" in checked ? checked.payload : null;
  }

  /** Reads what is stored now and finds where it differs from what is typed here. */
  async function conflictWith(changed: Saved): Promise<Conflict> {
    const id = changed === "client" ? form.getValues("clientId") : saved?.id;
    if (!id) throw new Error("It is not stored yet");
    const params = { id };
    return changed === "form"
      ? formConflict((await call("GET /api/forms/{id}", { params })).form)
      : clientConflict((await call("GET /api/clients/{id}", { params })).client);
  }

  function clientConflict(stored: Client): Conflict {
    const theirs = clientValues(stored);
    const versions = { base: base.current.client, theirs, mine: form.getValues("client") };
    return conflictOf("client", versions, (values) => {
      base.current = { ...base.current, client: theirs };
      form.setValue("client", values);
    });
  }

  function formConflict(stored: Form): Conflict {
    const theirs = formValues(stored, lists);
    const versions = {
      base: rekeyed(base.current.form, stored),
      theirs,
      mine: rekeyed(form.getValues("form"), stored),
    };
    return conflictOf("form", versions, (values) => {
      base.current = { ...base.current, form: theirs };
      setSaved(stored);
      form.setValue("form", values);
      void codes.load(values.formTypeId);
    });
  }

  function conflictOf<Record extends object>(
    prefix: Saved,
    versions: Versions<Record>,
    use: (values: Record) => void,
  ): Conflict {
    const found = differences(versions, prefix, lists, rules.codes);
    return {
      found,
      merge(takesTheirs) {
        use(merged(versions, prefix, found, takesTheirs));
        form.clearErrors();
        setFailure(null);
        setConflict(null);
      },
    };
  }

  const advocate = saved ? `${saved.user.firstName} ${saved.user.lastName}` : userName;

  return (
    <FormProvider {...form}>
      <form
        id="form-screen"
        noValidate
        className="print-hidden flex gap-4 max-xl:flex-col xl:flex-row-reverse xl:items-start"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <FormBody busy={saving || leaving}>
          <Body
            {...{ rules, lists, codes }}
            advocate={saved && advocate}
            onClient={(client) => {
              base.current = { ...base.current, client: clientValues(client) };
            }}
            alerts={
              <>
                <UnopenedDraft unopened={continued?.unopened ?? []} />
                <FailureAlert
                  failure={failure}
                  onCompare={compare}
                  onKeepAsNew={keepAsNew}
                  onDismiss={() => setFailure(null)}
                />
                <ErrorSummary problems={problems} />
              </>
            }
            saveBar={
              <SaveBar
                label={saved ? "Update" : "Save"}
                busy={saving || leaving}
                baseline={baseline}
                rules={rules}
                hasRecord={saved !== null}
                draft={kept.state}
                back={back}
              />
            }
          />
        </FormBody>
      </form>
      {conflict && failure && (
        <ConflictDialog
          message={failure.messages.join(" ")}
          found={conflict.found}
          onClose={() => setConflict(null)}
          onMerge={conflict.merge}
        />
      )}
      <PrintView
        title={saved ? `Form ${saved.id}` : "New Form"}
        organisation={organisation}
        advocate={advocate}
        rules={rules}
      />
    </FormProvider>
  );
}

const KEPT = "Nothing you entered is lost: please try again.";

const GONE: Record<Saved, string> = {
  client: "This client is no longer there. Nothing you entered is lost: it can be kept as a new client.",
  form: "This form is no longer there, or no longer yours to change. Nothing you entered is lost: it can be kept as a new form.",
};

function failureMessages(error: unknown, fieldsTold: boolean): string[] {
  // The summary lists them, each with its link.
  if (fieldsTold) return [];
  const isPassing = isCode(error, "too_many") || (error instanceof ApiError && error.status >= 500);
  const kept = isCode(error, "forbidden") ? ["Nothing you entered is lost."] : [];
  return [...messagesOf(error), ...(isPassing ? [KEPT] : kept)];
}

type Codes = ReturnType<typeof useServiceCodes>;

/** The codes that the chosen form type offers; each type's are read once. */
function useServiceCodes(formTypeId: number | null, codes: ServiceCode[]) {
  const [offered, setOffered] = useState(codes);
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  const read = useRef(new Map([[formTypeId, codes]]));
  const latest = useRef({ formTypeId, loaded: Promise.resolve(true) });

  /** Shows another type's codes; answers as `loaded`. */
  const load = useCallback((chosen: number | null): Promise<boolean> => {
    const asked = { formTypeId: chosen, loaded: Promise.resolve(true) };
    const show = (codes: ServiceCode[], next: typeof state): boolean => {
      setOffered(codes);
      setState(next);
      return next === "ready";
    };
    latest.current = asked;
    const known = chosen === null ? [] : read.current.get(chosen);
    show(known ?? [], known ? "ready" : "loading");
    if (known || chosen === null) return asked.loaded;

    const settle = (codes: ServiceCode[], next: typeof state) =>
      // At once: which minutes a waiting save sends is chosen by these codes.
      latest.current === asked ? flushSync(() => show(codes, next)) : latest.current.loaded;
    asked.loaded = call("GET /api/resource_lists/service_codes/{formTypeId}", {
      params: { formTypeId: chosen },
    }).then(
      ({ serviceCodes }) => {
        read.current.set(chosen, serviceCodes);
        return settle(serviceCodes, "ready");
      },
      () => settle([], "failed"),
    );
    return asked.loaded;
  }, []);

  return {
    offered,
    state,
    load,
    retry: () => load(latest.current.formTypeId),
    /** Every code that was read, of whatever type. */
    known: () => [...read.current.values()].flat(),
    /** Whether the codes of the type that is chosen are there, once that is known. */
    loaded: () => latest.current.loaded,
  };
}

function Body({
  rules,
  lists,
  codes,
  advocate,
  onClient,
  alerts,
  saveBar,
}: {
  rules: Rules;
  lists: FormLists;
  codes: Codes;
  advocate: string | null;
  onClient: (client: Client) => void;
  alerts: React.ReactNode;
  saveBar: React.ReactNode;
}) {
  const [formTypeId, status] = useWatch<FormValues, ["form.formTypeId", "form.serviceStatus"]>({
    name: ["form.formTypeId", "form.serviceStatus"],
  });
  const sections = useMemo(
    () => SECTIONS.filter(({ shows }) => shows(formTypeOf(formTypeId, lists), status)),
    [formTypeId, status, lists],
  );
  return (
    <>
      <SectionNav sections={sections} rules={rules} />
      <div className="stack min-w-0 flex-1 [&_:is(input,select,textarea,button)]:scroll-mb-28">
        {alerts}
        {sections.map((section) => (
          <SectionCard key={section.id} section={section}>
            {section.id === "details" && (
              <DetailsSection
                {...{ advocate, lists, onClient }}
                onFormType={(formTypeId) => void codes.load(formTypeId)}
              />
            )}
            {section.id === "services" && (
              <ServicesSection
                rules={rules}
                loading={codes.state === "loading"}
                failed={codes.state === "failed"}
                knownCodes={codes.known}
                onRetry={() => void codes.retry()}
              />
            )}
            {section.spec && (
              <SectionFields spec={section.spec} prefix={section.paths[0] ?? ""} lists={lists} />
            )}
          </SectionCard>
        ))}
        {saveBar}
      </div>
    </>
  );
}

function FailureAlert({
  failure,
  onCompare,
  onKeepAsNew,
  onDismiss,
}: {
  failure: Failure | null;
  onCompare: (changed: Saved) => Promise<void>;
  onKeepAsNew: (gone: Saved) => void;
  onDismiss: () => void;
}) {
  const alert = useRef<HTMLDivElement>(null);
  // Save is always in view, the top of the form seldom.
  useEffect(() => {
    if (failure) alert.current?.scrollIntoView({ block: "center" });
  }, [failure]);
  if (!failure || failure.messages.length === 0) return null;
  const { messages, changed, gone } = failure;
  return (
    <div ref={alert} className="stack">
      <ErrorAlert messages={messages} onDismiss={onDismiss} />
      {(changed || gone) && (
        <div className="flex flex-wrap gap-3">
          {changed && (
            <Button variant="primary" onClick={() => void onCompare(changed)}>
              Compare and choose
            </Button>
          )}
          {gone && (
            <Button variant="primary" onClick={() => onKeepAsNew(gone)}>
              Keep as a new {gone}
            </Button>
          )}
          <Button onClick={onDismiss}>Keep editing</Button>
        </div>
      )}
    </div>
  );
}
