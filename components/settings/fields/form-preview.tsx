"use client";

import { Fragment, useMemo, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { factsAt } from "@/components/forms/fields";
import { detailsInOrder, screenSections, showsDetail } from "@/components/forms/sections";
import { blankClient, blankForm, type FormValues } from "@/components/forms/values";
import { choicesOf } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { OwnFields } from "@/components/record/own-fields";
import { SectionFields } from "@/components/record/section-fields";
import { Select } from "@/components/ui/controls";
import { FieldGrid, Section } from "@/components/ui/section";
import type { FormLists } from "@/lib/lookups/schema";

/** A form of each type as users see it with the current fields. Nothing in it is saved. */
export function FormPreview({ lists, version }: { lists: FormLists; version: number }) {
  const [formTypeId, setFormTypeId] = useState("");
  const type = lists.formTypes.find(({ id }) => String(id) === formTypeId);
  return (
    <Section title="Preview" description="A form of this type as it is now. Nothing that you enter is saved.">
      <Select
        label="Form Type"
        placeholder="-- Select --"
        options={lists.formTypes.map(({ id, name }) => ({ value: id, label: name }))}
        value={formTypeId}
        onChange={setFormTypeId}
      />
      {type && <PreviewOf key={`${type.id} ${version}`} type={type} lists={lists} />}
    </Section>
  );
}

function PreviewOf({ type, lists }: { type: FormLists["formTypes"][number]; lists: FormLists }) {
  const choices = useMemo(() => choicesOf(lists), [lists]);
  // Partially Served also shows the reasons.
  const status = "Partially Served";
  const form = useForm<FormValues>({
    defaultValues: {
      ...{ useExistingClient: false, clientId: null, contactId: null },
      client: blankClient(),
      form: { ...blankForm(lists, type.id), serviceStatus: status },
    },
  });
  return (
    <FormProvider {...form}>
      <div className="stack">
        {screenSections(type, status).map(({ id, title, spec, own, paths: [prefix = ""] }) => (
          <section key={id} aria-label={`Preview of ${title}`} className="stack border-line border-t pt-3">
            <h3 className="font-semibold">{title}</h3>
            {id === "details" && (
              <FieldGrid>
                {detailsInOrder()
                  .filter((name) => name !== "clientId" && showsDetail(name, type))
                  .map((name) => (
                    <Fragment key={name}>
                      <FieldControl name={name} facts={factsAt(name)} choices={choices} />
                    </Fragment>
                  ))}
              </FieldGrid>
            )}
            {id === "services" && <p className="text-muted">The table of services is here.</p>}
            {spec && <SectionFields spec={spec} prefix={prefix} choices={choices} />}
            {own && <OwnFields places={own} />}
          </section>
        ))}
      </div>
    </FormProvider>
  );
}
