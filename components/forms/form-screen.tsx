"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, Suspense, useMemo, useRef, useTransition } from "react";
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
import { SectionBody } from "@/components/forms/section-body";
import { SectionCard } from "@/components/forms/section-card";
import { SectionNav } from "@/components/forms/section-nav";
import { screenSections } from "@/components/forms/sections";
import { ServicesSection } from "@/components/forms/services-section";
import { UnopenedDraft } from "@/components/forms/unopened-draft";
import { type FormRecord, type FormRecordProps, useFormRecord } from "@/components/forms/use-form-record";
import { useFormSave } from "@/components/forms/use-form-save";
import { type FormValues, formTypeOf, type StartContact } from "@/components/forms/values";
import { useDefinitions } from "@/components/record/use-definitions";
import type { Brand } from "@/components/shell/brand";
import { Button, LinkButton } from "@/components/ui/controls";
import { NeededLegend } from "@/components/ui/field";
import { FormBody } from "@/components/ui/form-body";
import { PrintIcon } from "@/components/ui/icons";
import { InTurn } from "@/components/ui/in-turn";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { counted, date } from "@/lib/core/fields/format";
import { recordsNoTime } from "@/lib/forms/schema";
import { formMessages } from "@/lib/forms/words";

/** The form screen, new or edit: one screen for client and form, which are saved one after the other. */
export function FormScreen({
  brand,
  userName,
  back,
  frozen = false,
  isOwn = true,
  suggestions,
  ...props
}: FormRecordProps & {
  brand: Brand;
  /** The name of the signed-in user, who will own a new form. */
  userName: string;
  /** The URL of the list as the user left it. */
  back: string;
  /** True if the form cannot be saved: its client was purged, or its month is closed. */
  frozen?: boolean;
  /** True if the user is the advocate of the form. */
  isOwn?: boolean;
  /** The last values of the client that a new form starts with. */
  suggestions?: ClientSuggestions;
}) {
  const router = useRouter();
  const notify = useNotify();
  const record = useFormRecord(props);
  const conversation = useRef<ConversationHandle>(null);
  const [leaving, startLeaving] = useTransition();
  const save = useFormSave(record, async ({ form }: Payload, stored, isNew) => {
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
  });
  const { form, rules, saved, isUnsaved, draft } = record;
  const { conflict, failure } = save;
  const busy = save.saving || leaving;
  const advocate = saved ? `${saved.user.firstName} ${saved.user.lastName}` : userName;

  return (
    <FormProvider {...form}>
      <div className="print-hidden mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <FormSubtitle lists={rules.lists} />
        <NeededLegend />
      </div>
      {frozen && (
        <div className="print-hidden mb-4 flex justify-end gap-2">
          <Button icon={<PrintIcon />} onClick={() => window.print()}>
            Print
          </Button>
          <LinkButton href={back}>Back</LinkButton>
        </div>
      )}
      {props.stored && props.stored.form.comments.length > 0 && (
        <Suspense>
          <Conversation ref={conversation} form={props.stored.form} mayReply={!frozen}>
            <p className="text-sm">Choosing Update also sends your reply.</p>
          </Conversation>
        </Suspense>
      )}
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
          if (!leaving) void save.submit();
        }}
      >
        <FormBody busy={busy} frozen={frozen} begins={props.stored === null}>
          <Sections
            record={record}
            advocate={saved && advocate}
            frozen={frozen}
            suggestions={suggestions}
            alerts={
              <>
                {props.contact && <FromContact contact={props.contact} />}
                {props.serviceOn && <PresetDay presetDay={props.serviceOn} />}
                <UnopenedDraft unopened={draft.unopened} />
                <FailureAlert
                  failure={failure}
                  onCompare={save.compare}
                  onKeepAsNew={save.keepAsNew}
                  onSaveSeparately={save.saveSeparately}
                  onDismiss={save.dismiss}
                />
                <ErrorSummary problems={save.problems} />
              </>
            }
            saveBar={
              !frozen && (
                <SaveBar
                  label={saved ? "Update" : "Save"}
                  hasRecord={saved !== null}
                  reconciled={saved?.reconciled ?? false}
                  draft={draft.state}
                  isElsewhere={draft.isElsewhere}
                  presetDay={props.serviceOn ?? null}
                  {...{ busy, isUnsaved, rules, back }}
                />
              )
            }
          />
        </FormBody>
      </form>
      {conflict.conflict && failure && (
        <conflict.conflict.Dialog
          message={failure.messages.join(" ")}
          found={conflict.conflict.found}
          phone={conflict.conflict.phone}
          onClose={conflict.close}
          onMerge={conflict.conflict.merge}
        />
      )}
      <PrintView {...{ brand, saved, advocate, userName, rules }} />
    </FormProvider>
  );
}

/** States what a form that was started from a contact has from it. */
function FromContact({ contact: { contactedOn, minutes } }: { contact: StartContact }) {
  return (
    <Notice title={`Started from the contact on ${date(contactedOn)}`}>
      <p>
        When this form is saved, the contact is linked to it and is no longer anonymous.
        {minutes > 0 &&
          ` ${counted(minutes, "minute")} from the contact ${minutes === 1 ? "is" : "are"} under Other Service. Move the time to the service you provided.`}
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
  alerts,
  saveBar,
}: {
  record: FormRecord;
  advocate: string | null;
  frozen: boolean;
  suggestions: ClientSuggestions | undefined;
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
  return (
    <FormSuggestions start={suggestions}>
      <SectionNav sections={sections} rules={rules} />
      <OpenSections
        frozen={frozen}
        className="stack min-w-0 flex-1 max-sm:gap-2 [&_:is(input,select,textarea,button)]:scroll-mb-28"
      >
        {alerts}
        {sections.map((section, index) => (
          <InTurn key={section.id} turn={index}>
            <SectionCard section={section} rules={rules} next={sections[index + 1]}>
              <SectionBody
                {...{ section, lists, choices }}
                details={(own) => (
                  <DetailsSection
                    {...{ advocate, lists, choices, own, base, consents }}
                    onFormType={(formTypeId) => void codes.load(formTypeId)}
                  />
                )}
                services={(own) => (
                  <ServicesSection
                    {...{ rules, own }}
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
        {saveBar}
      </OpenSections>
    </FormSuggestions>
  );
}
