"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type RefObject, Suspense, useMemo, useRef, useState, useTransition } from "react";
import { FormProvider, useWatch } from "react-hook-form";
import type { Payload } from "@/components/forms/check";
import type { ConversationHandle } from "@/components/forms/conversation";
import { DetailsSection } from "@/components/forms/details-section";
import { ErrorSummary } from "@/components/forms/error-summary";
import { FailureAlert } from "@/components/forms/failure-alert";
import { FormSubtitle } from "@/components/forms/form-subtitle";
import { type ClientSuggestions, FormSuggestions } from "@/components/forms/form-suggestions";
import { Conversation } from "@/components/forms/lazy-conversation";
import { OpenSections } from "@/components/forms/open-sections";
import { PresetDay } from "@/components/forms/preset-day";
import { PrintView } from "@/components/forms/print-view";
import { SaveBar } from "@/components/forms/save-bar";
import { ScreenParts } from "@/components/forms/screen-parts";
import { SectionBody } from "@/components/forms/section-body";
import { SectionCard } from "@/components/forms/section-card";
import { SectionNav } from "@/components/forms/section-nav";
import { screenSections } from "@/components/forms/sections";
import { ServicesSection } from "@/components/forms/services-section";
import type { UnopenedDraft } from "@/components/forms/unopened-draft";
import { type FormRecord, type FormRecordProps, useFormRecord } from "@/components/forms/use-form-record";
import { useFormSave } from "@/components/forms/use-form-save";
import { type FormValues, formTypeOf, type StartContact } from "@/components/forms/values";
import { useDefinitions } from "@/components/record/use-definitions";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/controls";
import { fieldId, NeededLegend } from "@/components/ui/field";
import { FormBody } from "@/components/ui/form-body";
import { useHydrated } from "@/components/ui/hydrated";
import { PrintIcon } from "@/components/ui/icons";
import { InTurn } from "@/components/ui/in-turn";
import { loadable, useLoadable } from "@/components/ui/loadable";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { fullName } from "@/lib/core/access/permissions";
import type { Brand } from "@/lib/core/branding/brand";
import { date, duration } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { recordsNoTime } from "@/lib/forms/schema";
import { formMessages } from "@/lib/forms/words";

type Props = FormRecordProps & {
  brand: Brand;
  /** The name of the signed-in user, who will own a new form. */
  userName: string;
  /** The URL of the list as the user left it. */
  back: string;
  /** True if the form cannot be saved: its client was purged, or its month is closed. */
  frozen?: boolean;
  /** True if the user is the advocate of the form. */
  isOwn?: boolean;
  /** The number of the form's comments before those that it has here. */
  earlierComments?: number;
  /** The last values of the client that a new form starts with. */
  suggestions?: ClientSuggestions;
  /** The choice of a client on a new form. A stored form has its client, and needs none of its code. */
  newClient?: ReactNode;
};

// Few forms continue a draft, so the code that reads one is not part of the first load.
const draftScreen = loadable(async () => {
  const [{ draftValues }, { UnopenedDraft }] = await Promise.all([
    import("@/components/forms/draft-values"),
    import("@/components/forms/unopened-draft"),
  ]);
  return (props: Props) => <Screen {...props} readDraft={draftValues} Unopened={UnopenedDraft} />;
});

/** The form screen, new or edit: one screen for client and form, which are saved one after the other. */
export function FormScreen(props: Props) {
  // Decided once: another screen would lose what was typed, for example after the draft was deleted elsewhere.
  const [continues] = useState(props.draft !== null);
  return continues ? <DraftScreen {...props} /> : <Screen {...props} />;
}

/** Renders the draft only in the browser, as `InBrowser` does. */
function DraftScreen(props: Props) {
  const [isFailed, setFailed] = useState(false);
  const hydrated = useHydrated();
  const Loaded = useLoadable(draftScreen, true, () => setFailed(true));
  if (hydrated && Loaded) return <Loaded {...props} />;
  if (!isFailed) return <p role="status">Loading…</p>;
  return <ErrorAlert messages={["The draft could not be opened. It is kept. Load this page again."]} />;
}

function Screen(props: Props & { Unopened?: typeof UnopenedDraft }) {
  const { brand, userName, frozen = false, back } = props;
  const record = useFormRecord(props);
  const conversation = useRef<ConversationHandle>(null);
  const { leaving, onSaved } = useLeaving(conversation, props);
  const save = useFormSave(record, onSaved);
  const { form, rules, saved } = record;
  const [begins] = useState(() => props.stored === null && firstFieldOf(form.getValues()));
  const advocate = saved && fullName(saved.user);

  return (
    <FormProvider {...form}>
      <div className="print-hidden mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <FormSubtitle lists={rules.lists} />
        <NeededLegend />
      </div>
      {frozen && <FrozenActions back={back} />}
      <Comments ref={conversation} {...props} />
      <ScreenForm onSubmit={() => leaving || void save.submit()}>
        <FormBody busy={save.saving || leaving} {...{ frozen, begins }}>
          <Sections
            {...{ record, advocate, frozen }}
            suggestions={props.suggestions}
            newClient={props.newClient}
            alerts={
              <Alerts
                contact={props.contact}
                presetDay={props.serviceOn}
                unopened={props.Unopened && <props.Unopened unopened={record.draft.unopened} />}
                save={save}
              />
            }
            saveBar={
              !frozen && (
                <Bar {...{ record, back }} busy={save.saving || leaving} presetDay={props.serviceOn} />
              )
            }
          />
        </FormBody>
      </ScreenForm>
      <ConflictDialog save={save} />
      <PrintView advocate={advocate ?? userName} {...{ brand, saved, userName, rules }} />
    </FormProvider>
  );
}

/** Returns the id of the field in which a new form begins: the first of client, type, and day that is not given. */
function firstFieldOf({ useExistingClient, clientId, form }: FormValues): string {
  if (clientId === null) return fieldId(useExistingClient ? "clientId" : "client.name");
  return fieldId(form.formTypeId === null ? "form.formTypeId" : "form.serviceOn");
}

/** Returns the end of a save: notifies, sends a typed reply, and opens the list. `leaving` is true until it is open. */
function useLeaving(conversation: RefObject<ConversationHandle | null>, { isOwn = true, back }: Props) {
  const router = useRouter();
  const notify = useNotify();
  const [leaving, startLeaving] = useTransition();
  async function onSaved({ form }: Payload, stored: Form, isNew: boolean) {
    const stays = isOwn && stored.returned !== null && !conversation.current?.isTyped;
    notify.success([
      isNew ? formMessages.created : formMessages.updated,
      ...(recordsNoTime(form) ? [formMessages.noTime] : []),
      ...(stays ? [formMessages.staysReturned] : []),
    ]);
    // A reply that is typed but not sent would be lost with the page.
    if (conversation.current && !(await conversation.current.send())) return;
    startLeaving(() => {
      router.push(back);
      router.refresh();
    });
  }
  return { leaving, onSaved };
}

/** The comments about a stored form. Update also sends a typed reply. */
function Comments({
  ref,
  stored,
  earlierComments = 0,
  frozen = false,
}: Props & { ref: RefObject<ConversationHandle | null> }) {
  if (!stored || stored.form.comments.length === 0) return null;
  return (
    <Suspense>
      <Conversation ref={ref} form={stored.form} earlier={earlierComments} mayReply={!frozen}>
        <p className="text-sm">Choosing Update also sends your reply.</p>
      </Conversation>
    </Suspense>
  );
}

/** The form element: the navigation next to the sections if there is space. */
function ScreenForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      id="form-screen"
      noValidate
      className="print-hidden flex gap-4 max-xl:flex-col xl:flex-row-reverse xl:items-start"
      onKeyDown={(event) => {
        // In a long form, Enter in a one-line field would save a half-filled form.
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

function Bar({
  record: { saved, draft, isUnsaved, rules },
  presetDay = null,
  ...bar
}: {
  record: FormRecord;
  presetDay: FormRecordProps["serviceOn"];
  busy: boolean;
  back: string;
}) {
  return (
    <SaveBar
      label={saved ? "Update" : "Save"}
      hasRecord={saved !== null}
      reconciled={saved?.reconciled ?? false}
      draft={draft.state}
      isElsewhere={draft.isElsewhere}
      {...{ presetDay, isUnsaved, rules, ...bar }}
    />
  );
}

/** The comparison with a colleague's save, once the user asks for it. */
function ConflictDialog({ save: { conflict, failure } }: { save: ReturnType<typeof useFormSave> }) {
  if (!conflict.conflict || !failure) return null;
  const { Dialog, found, phone, merge } = conflict.conflict;
  const message = failure.messages.join(" ");
  return <Dialog {...{ message, found, phone }} onClose={conflict.close} onMerge={merge} />;
}

/** Instead of saving, a form that cannot be saved is printed. */
function FrozenActions({ back }: { back: string }) {
  return (
    <div className="print-hidden mb-4 flex justify-end gap-2">
      <Button icon={<PrintIcon />} onClick={() => window.print()}>
        Print
      </Button>
      <LinkButton href={back}>Back</LinkButton>
    </div>
  );
}

/** Notices about the start of the form, and about a save that was refused. */
function Alerts({
  contact,
  presetDay,
  unopened,
  save,
}: {
  contact: FormRecordProps["contact"];
  presetDay: FormRecordProps["serviceOn"];
  unopened: ReactNode;
  save: ReturnType<typeof useFormSave>;
}) {
  return (
    <>
      {contact && <FromContact contact={contact} />}
      {presetDay && <PresetDay presetDay={presetDay} />}
      {unopened}
      <FailureAlert
        failure={save.failure}
        onCompare={save.compare}
        onKeepAsNew={save.keepAsNew}
        onSaveSeparately={save.saveSeparately}
        onDismiss={save.dismiss}
      />
      <ErrorSummary problems={save.problems} />
    </>
  );
}

/** States what a form that was started from a contact has from it. */
function FromContact({ contact: { contactedOn, minutes } }: { contact: StartContact }) {
  return (
    <Notice title={`Started from the contact on ${date(contactedOn)}`}>
      <p>
        When this form is saved, the contact is linked to it and is no longer anonymous.
        {minutes > 0 &&
          ` ${duration(minutes)} from the contact ${minutes === 1 ? "is" : "are"} under Other Service. Move the time to the service you provided.`}
      </p>
    </Notice>
  );
}

/** The sections that the chosen form type and service status require. */
function Sections({
  record: { rules, codes, base, consents },
  advocate,
  frozen,
  suggestions,
  newClient,
  alerts,
  saveBar,
}: {
  record: FormRecord;
  advocate: string | null;
  frozen: boolean;
  suggestions: ClientSuggestions | undefined;
  newClient: ReactNode;
  alerts: ReactNode;
  saveBar: ReactNode;
}) {
  const { lists, choices } = rules;
  const definitions = useDefinitions();
  const [formTypeId, status] = useWatch<FormValues, ["form.formTypeId", "form.serviceStatus"]>({
    name: ["form.formTypeId", "form.serviceStatus"],
  });
  const sections = useMemo(
    () => definitions && screenSections(formTypeOf(formTypeId, lists), status),
    [formTypeId, status, lists, definitions],
  );
  const parts = useMemo(() => ({ choices, base, consents }), [choices, base, consents]);
  return (
    <FormSuggestions start={suggestions}>
      <SectionNav sections={sections} rules={rules} />
      <OpenSections
        frozen={frozen}
        className="stack min-w-0 flex-1 max-sm:gap-2 [&_:is(input,select,textarea,button)]:scroll-mb-28"
      >
        {alerts}
        <ScreenParts value={parts}>
          {sections.map((section, index) => (
            <InTurn key={section.id} turn={index}>
              <SectionCard section={section} rules={rules} next={sections[index + 1]}>
                <SectionBody
                  {...{ section, lists, choices }}
                  details={(custom) => (
                    <DetailsSection
                      {...{ advocate, lists, choices, custom, newClient, consents }}
                      onFormType={(formTypeId) => void codes.load(formTypeId)}
                    />
                  )}
                  services={(custom) => (
                    <ServicesSection
                      {...{ rules, custom }}
                      loading={codes.state === "loading"}
                      failure={codes.state === "failed" ? codes.failure() : null}
                      knownCodes={codes.known}
                      onRetry={() => void codes.retry()}
                    />
                  )}
                />
              </SectionCard>
            </InTurn>
          ))}
        </ScreenParts>
        {saveBar}
      </OpenSections>
    </FormSuggestions>
  );
}
