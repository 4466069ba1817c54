"use client";

import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { FormProvider, set, useForm, useWatch } from "react-hook-form";
import { DetailsSection } from "@/components/forms/details-section";
import { factsAt, factsAtPath } from "@/components/forms/fields";
import { SectionBody } from "@/components/forms/section-body";
import { type ScreenSection, screenSections, showsDetail } from "@/components/forms/sections";
import { ServicesSection } from "@/components/forms/services-section";
import {
  blankClient,
  blankForm,
  type FormValues,
  formTypeOf,
  offeredKey,
  type Rules,
} from "@/components/forms/values";
import { choicesOf } from "@/components/record/choices";
import { useDefinitions } from "@/components/record/use-definitions";
import { Select } from "@/components/ui/controls";
import { fieldId, NeededLegend } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { otherEthnicityId } from "@/lib/clients/schema";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { date, today } from "@/lib/core/text/format";
import { MAGISTERIAL_COURT, PFA_COURT } from "@/lib/forms/sections/legal";
import type { FormLists } from "@/lib/lookups/schema";
import type { FormType } from "@/lib/lookups/types";

/** The layout of a dialog: the definition, and next to it or below it the preview. */
export const FIELD_AND_PREVIEW =
  "grid min-h-0 items-start gap-4 overflow-y-auto p-1 lg:grid-cols-2 [&>*]:min-w-0";

const NOT_SAVED = "Nothing you enter in the preview is saved.";

/** With this status, a form also shows the reasons. */
const STATUS = "Partially Served";

/** A service code that shows all details of a service. */
const EXAMPLE = {
  id: 0,
  code: "Example",
  description: "An example service with every detail that a service can have",
  hotelShelter: true,
  videoconferencing: true,
  canBeMagistrate: true,
  onCallMainType: true,
  hasReferral: true,
};

const EXAMPLE_KEY = offeredKey(EXAMPLE.id);

/** Shows a form of any type with the saved fields. It is empty while a dialog previews a field. */
export function FormPreview({ lists, isEmpty }: { lists: FormLists; isEmpty: boolean }) {
  const [typeId, setTypeId] = useState("");
  const type = lists.formTypes.find(({ id }) => String(id) === typeId);
  return (
    <Section
      title="Preview"
      description={`Choose a form type to see its form with the saved fields. ${NOT_SAVED}`}
    >
      <TypeSelect types={lists.formTypes} value={typeId} onChange={setTypeId} placeholder="-- Select --" />
      {type && !isEmpty && <Preview key={type.id} type={type} lists={lists} />}
    </Section>
  );
}

function TypeSelect({
  types,
  ...select
}: { types: readonly FormType[] } & Pick<
  Parameters<typeof Select>[0],
  "value" | "onChange" | "placeholder"
>) {
  return (
    <Select
      label="Form Type"
      options={types.map(({ id, name }) => ({ value: id, label: name }))}
      {...select}
    />
  );
}

/** Returns the section of a form of this type that shows the field; undefined if there is none. */
function sectionWith(path: string, type: FormType): ScreenSection | undefined {
  const sections = screenSections(type, STATUS);
  if (path === "form.clientId") return sections.find(({ id }) => id === "details");
  const found = sections.find(({ paths }) => paths.some((at) => path === at || path.startsWith(`${at}.`)));
  const detail = found?.id === "details" ? found.paths.find((at) => at === path) : undefined;
  return detail && !factsAt(detail).custom && !showsDetail(detail, type) && !factsAt(detail).hidden
    ? undefined
    : found;
}

/** Shows the section of a form that has the field, with the current definitions, which may be a draft. */
export function FieldPreview({ path, lists }: { path: string; lists: FormLists }) {
  useDefinitions();
  const types = lists.formTypes.filter((type) => sectionWith(path, type));
  const [typeId, setTypeId] = useState("");
  const type = types.find(({ id }) => String(id) === typeId) ?? types[0];
  const facts = type && factsAtPath(path);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const control = document.getElementById(
      fieldId(path.replace("serviceProvidedEntries", `rows.${EXAMPLE_KEY}`)),
    );
    const field = control?.closest<HTMLElement>(":is(.field-grid, .check-grid) > *");
    if (!field || !box.current) return;
    field.dataset.previewed = "";
    box.current.scrollTop += field.getBoundingClientRect().top - box.current.getBoundingClientRect().top - 40;
    return () => {
      delete field.dataset.previewed;
    };
  });
  return (
    <section
      aria-label="Preview"
      className="stack rounded-lg border border-line border-dashed p-3 lg:sticky lg:top-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">Preview</h3>
        {type && <TypeSelect types={types} value={type.id} onChange={setTypeId} />}
      </div>
      <p className="text-muted text-sm">
        {facts ? `${stateWords(facts)} ${NOT_SAVED}` : "No form type includes this field."}
      </p>
      {type && (
        <div ref={box} className="max-h-96 overflow-y-auto p-1 lg:max-h-[50dvh]">
          <Preview key={type.id} type={type} lists={lists} path={path} day={facts && laterDay(facts)} />
        </div>
      )}
    </section>
  );
}

/** Returns the first day on which the field is required, if that day is in the future. */
const laterDay = ({ requiredFrom }: FieldFacts): string | undefined =>
  requiredFrom && requiredFrom > today() ? requiredFrom : undefined;

/** Returns a sentence about what the preview itself cannot show. */
function stateWords(facts: FieldFacts): string {
  const day = laterDay(facts);
  if (facts.hidden) return "Hidden: forms do not show this field.";
  return day
    ? `As it appears on a form for a service on ${date(day)}.`
    : "As it appears on a form for a service today.";
}

/** Returns the paths of the checkboxes that must be checked for a form to show the field at a path. */
function boxesOf(path: string): string[] {
  const names = path.split(".");
  return names.flatMap((_, at) => {
    const { boxes: [box] = [], unticked } = factsAtPath(names.slice(0, at + 1).join("."))?.dependsOn ?? {};
    const boxPath = [...names.slice(0, at), box].join(".");
    return box && !unticked ? [...boxesOf(boxPath), boxPath] : [];
  });
}

/** Returns values for a form that shows the field at a path: those of a new form, with the checkboxes, court, and ethnicity. */
function valuesShowing(path: string, type: FormType, lists: FormLists): FormValues {
  const values: FormValues = {
    useExistingClient: false,
    clientId: null,
    contactId: null,
    client: blankClient(),
    form: {
      ...blankForm(lists, type.id),
      serviceStatus: STATUS,
      serviceEntry: { otherService: "", otherServiceMinutes: 0, rows: { [EXAMPLE_KEY]: { minutes: 15 } } },
    },
  };
  for (const box of boxesOf(path)) set(values, box, true);
  const { legalAdvocacyEntry } = values.form.intakeForm;
  if (path.includes(".magisterialEntry")) legalAdvocacyEntry.placeOfService = MAGISTERIAL_COURT;
  if (path.includes(".pfaCourtEntry")) legalAdvocacyEntry.placeOfService = PFA_COURT;
  if (path.endsWith(".ethnicityOther"))
    values.client.clientDemographicEntry.ethnicityId = otherEthnicityId(lists.ethnicities);
  return values;
}

/** Shows a whole form, or the section that has the field at `path`. `day` is the day of the service; today if missing. */
function Preview({
  type,
  lists,
  path,
  day = today(),
}: {
  type: FormType;
  lists: FormLists;
  path?: string;
  day?: string;
}) {
  const definitions = useDefinitions();
  const choices = useMemo(() => choicesOf(lists), [lists]);
  const rules: Rules = {
    lists,
    choices,
    rows: [{ key: EXAMPLE_KEY, code: EXAMPLE, offered: true }],
    codes: new Map([[EXAMPLE.id, EXAMPLE]]),
  };
  const form = useForm<FormValues>({ defaultValues: valuesShowing(path ?? "", type, lists) });
  const { setValue } = form;
  useLayoutEffect(() => setValue("form.serviceOn", day), [setValue, day]);
  const [typeId, status] = useWatch({
    control: form.control,
    name: ["form.formTypeId", "form.serviceStatus"],
  });
  const shown = path === undefined ? formTypeOf(typeId, lists) : type;
  const sections = screenSections(shown, status).filter(
    ({ id }) => path === undefined || sectionWith(path, type)?.id === id,
  );
  const Heading = path === undefined ? "h3" : "h4";
  return (
    <FormProvider {...form}>
      <div className="stack">
        <NeededLegend />
        {sections.map((section) => (
          <section
            key={section.id}
            aria-label={`Preview of ${section.title}`}
            className="stack border-line border-t pt-3"
          >
            <Heading className="font-semibold">{section.title}</Heading>
            <SectionBody
              {...{ section, lists, choices }}
              details={(custom) => (
                <DetailsSection
                  advocate="The advocate"
                  {...{ lists, choices, custom }}
                  consents={{ current: new Map() }}
                  onFormType={() => undefined}
                />
              )}
              services={(custom) => (
                <ServicesSection
                  // Service rows render again only when their values change.
                  key={JSON.stringify(definitions.settings)}
                  {...{ rules, custom }}
                  loading={false}
                  failure={null}
                  knownCodes={() => []}
                  onRetry={() => undefined}
                />
              )}
            />
          </section>
        ))}
      </div>
    </FormProvider>
  );
}
