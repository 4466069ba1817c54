"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { FormProvider, type Path, type Resolver, useForm, useWatch } from "react-hook-form";
import { DetailsSection } from "@/components/forms/details-section";
import { ErrorSummary, inPageOrder, type Problem } from "@/components/forms/error-summary";
import { SectionFields } from "@/components/forms/fields";
import { PrintView } from "@/components/forms/print-view";
import { SaveBar } from "@/components/forms/save-bar";
import { SectionCard } from "@/components/forms/section-card";
import { SectionNav } from "@/components/forms/section-nav";
import { SECTIONS } from "@/components/forms/sections";
import { ServicesSection } from "@/components/forms/services-section";
import {
  blankClient,
  blankForm,
  check,
  clientValues,
  type FormValues,
  fingerprint,
  formTypeOf,
  formValues,
  nestedErrors,
  type Payload,
  type Rules,
  screenPath,
  tableRows,
} from "@/components/forms/values";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notifications";
import { ApiError, api, idempotencyKeys, messagesOf } from "@/lib/api-client";
import type { Client } from "@/lib/clients/schema";
import { type Form, formMessages } from "@/lib/forms/schema";
import type { ServiceCode } from "@/lib/forms/types";
import type { FormLists, ServiceCodeList } from "@/lib/lookups/schema";
import { toWire } from "@/lib/wire";

export type FormScreenProps = {
  lists: FormLists;
  organisation: string;
  /** The signed-in user's name, whose form a new one will be. */
  userName: string;
  /** What is edited; null for a new form. */
  stored: { form: Form; client: Client; serviceCodes: ServiceCode[] } | null;
};

/** A refused save: what to say, and which record somebody else has changed meanwhile. */
type Failure = { messages: string[]; changed?: "client" | "form"; signedOut?: boolean };

// The screen keeps what was typed when the session has ended; it says so itself instead of going to the login.
const stay = { onUnauthorized: () => {} };

/** The form screen, new or edit (spec §2–§5): one form over client and form, saved one after the other. */
export function FormScreen({ lists, organisation, userName, stored }: FormScreenProps) {
  const router = useRouter();
  const notify = useNotify();
  const [saved, setSaved] = useState(stored?.form ?? null);
  const codes = useServiceCodes(stored?.serviceCodes ?? []);
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
  const form = useForm<FormValues, unknown, Payload>({
    mode: "onBlur",
    resolver,
    // The field that comes first on the page is focused, not the one that was registered first.
    shouldFocusError: false,
    defaultValues: {
      useExistingClient: false,
      clientId: stored?.client.id ?? null,
      client: stored ? clientValues(stored.client) : blankClient(),
      form: stored ? formValues(stored.form, lists) : blankForm(lists),
    },
  });

  const [baseline, setBaseline] = useState(() => fingerprint(form.getValues(), rules));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [clientKey] = useState(idempotencyKeys);
  const [formKey] = useState(idempotencyKeys);
  const [saving, setSaving] = useState(false);
  const [leaving, startLeaving] = useTransition();

  function block(byName: Record<string, string>) {
    setProblems(inPageOrder(byName));
  }

  // After the commit that marked the fields.
  useEffect(() => {
    if (problems.length === 0) return;
    const timer = setTimeout(() => {
      document.querySelector<HTMLElement>('#form-screen [aria-invalid="true"]')?.focus();
    });
    return () => clearTimeout(timer);
  }, [problems]);

  async function save(payload: Payload) {
    let saving: "client" | "form" = "client";
    try {
      const clientId = form.getValues("clientId");
      const { client } = await saveClient(clientId, payload);
      // From here on the client is there: another try updates it and never makes a second one.
      form.setValue("clientId", client.id);
      form.setValue("client.lockVersion", client.lockVersion);
      saving = "form";
      await saveForm(client.id, payload);
    } catch (error) {
      refuse(error, saving);
      return;
    }
    setBaseline(fingerprint(form.getValues(), latestRules.current));
    notify.success(saved ? formMessages.updated : formMessages.created);
    startLeaving(() => {
      router.push("/forms");
      router.refresh();
    });
  }

  function saveClient(id: number | null, payload: Payload): Promise<{ client: Client }> {
    const body = { client: toWire(payload.client) };
    return id === null
      ? api("POST", "/api/clients", body, { ...stay, idempotencyKey: clientKey(body) })
      : api("PUT", `/api/clients/${id}`, body, stay);
  }

  function saveForm(clientId: number, payload: Payload): Promise<{ form: Form }> {
    const body = { form: toWire({ ...payload.form, clientId }) };
    return saved
      ? api("PUT", `/api/forms/${saved.id}`, body, stay)
      : api("POST", "/api/forms", body, { ...stay, idempotencyKey: formKey(body) });
  }

  function refuse(error: unknown, at: "client" | "form") {
    const status = error instanceof ApiError ? error.status : 0;
    const fields = Object.entries(error instanceof ApiError ? error.fields : {}).map(
      ([path, message]): [string, string] => [
        screenPath(path, form.getValues(), latestRules.current),
        message,
      ],
    );
    for (const [name, message] of fields)
      form.setError(name as Path<FormValues>, { type: "server", message });
    if (fields.length > 0) block(Object.fromEntries(fields));
    setFailure({
      messages: failureMessages(error, status, fields.length > 0),
      changed: status === 409 && (at === "client" || saved) ? at : undefined,
      signedOut: status === 401,
    });
  }

  async function submit() {
    if (saving || leaving) return;
    setSaving(true);
    setProblems([]);
    setFailure(null);
    await form.handleSubmit(save, () => {
      const checked = check(form.getValues(), latestRules.current);
      block("problems" in checked ? checked.problems : {});
    })();
    setSaving(false);
  }

  /** Puts what is stored in the place of what was typed, for the record that somebody else has changed. */
  async function reloadTheirs(changed: "client" | "form") {
    try {
      if (changed === "client") {
        const { client } = await api<{ client: Client }>(
          "GET",
          `/api/clients/${form.getValues("clientId")}`,
          undefined,
          stay,
        );
        form.setValue("client", clientValues(client));
      } else if (saved) {
        const { form: theirs } = await api<{ form: Form }>("GET", `/api/forms/${saved.id}`, undefined, stay);
        setSaved(theirs);
        form.setValue("form", formValues(theirs, lists));
        codes.load(theirs.formTypeId);
      }
      form.clearErrors();
      setFailure(null);
    } catch (error) {
      setFailure({ messages: messagesOf(error), changed });
    }
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
        <Body
          {...{ rules, lists, codes }}
          advocate={saved && advocate}
          alerts={
            <>
              <FailureAlert failure={failure} onReload={reloadTheirs} onDismiss={() => setFailure(null)} />
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
            />
          }
        />
      </form>
      <PrintView
        title={saved ? `Form ${saved.id}` : "New Form"}
        organisation={organisation}
        advocate={advocate}
        rules={rules}
      />
    </FormProvider>
  );
}

function failureMessages(error: unknown, status: number, fieldsTold: boolean): string[] {
  if (status === 401) return ["Your session has ended. Nothing you entered is lost."];
  // The summary lists them, each with its link.
  if (fieldsTold) return [];
  const again = status >= 500 ? ["Nothing you entered is lost: please try again."] : [];
  return [...messagesOf(error), ...again];
}

type Codes = ReturnType<typeof useServiceCodes>;

/** The codes that the chosen form type offers; each type's are read once. */
function useServiceCodes(initial: ServiceCode[]) {
  const [offered, setOffered] = useState(initial);
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  const asked = useRef<number | null>(null);

  const load = useCallback((formTypeId: number | null) => {
    asked.current = formTypeId;
    setOffered([]);
    setState(formTypeId === null ? "ready" : "loading");
    if (formTypeId === null) return;
    api<ServiceCodeList>("GET", `/api/resource_lists/service_codes/${formTypeId}`, undefined, stay).then(
      ({ serviceCodes }) => {
        if (asked.current !== formTypeId) return;
        setOffered(serviceCodes);
        setState("ready");
      },
      () => asked.current === formTypeId && setState("failed"),
    );
  }, []);

  return { offered, state, load, retry: () => load(asked.current) };
}

function Body({
  rules,
  lists,
  codes,
  advocate,
  alerts,
  saveBar,
}: {
  rules: Rules;
  lists: FormLists;
  codes: Codes;
  advocate: string | null;
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
              <DetailsSection advocate={advocate} lists={lists} onFormType={codes.load} />
            )}
            {section.id === "services" && (
              <ServicesSection
                rules={rules}
                loading={codes.state === "loading"}
                failed={codes.state === "failed"}
                onRetry={codes.retry}
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
  onReload,
  onDismiss,
}: {
  failure: Failure | null;
  onReload: (changed: "client" | "form") => Promise<void>;
  onDismiss: () => void;
}) {
  const [asking, setAsking] = useState(false);
  if (!failure) return null;
  const { messages, changed, signedOut } = failure;
  return (
    <>
      <ErrorAlert messages={messages} onDismiss={onDismiss} />
      {signedOut && (
        <p>
          <a
            className="link"
            href={`/?unauthorized=true&url=${encodeURIComponent("/forms")}`}
            target="_blank"
            rel="noreferrer"
          >
            Sign in again in a new tab
          </a>
          , then come back here and save.
        </p>
      )}
      {changed && (
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setAsking(true)}>Reload theirs</Button>
          <Button onClick={onDismiss}>Keep editing</Button>
        </div>
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reload theirs?"
        description={`What you changed in this ${changed} is replaced by what is stored now.`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep editing</Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsking(false);
                if (changed) void onReload(changed);
              }}
            >
              Reload theirs
            </Button>
          </>
        }
      />
    </>
  );
}
