"use client";

import { useController, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { BrandPreview } from "@/components/organization/brand-preview";
import type { Describe } from "@/components/record/differences";
import { describeIn } from "@/components/record/field-at";
import { RecordFrame } from "@/components/record/record-frame";
import { useRecordForm } from "@/components/record/use-record-form";
import { OrganizationLogo } from "@/components/shell/brand";
import { Button } from "@/components/ui/controls";
import { Field, useField } from "@/components/ui/field";
import { schemaResolver } from "@/components/ui/resolver";
import { FieldGrid, Section } from "@/components/ui/section";
import { TextAreaField, TextField } from "@/components/ui/text-fields";
import { call } from "@/lib/core/api/client";
import { requiredText } from "@/lib/core/fields/validation";
import { longText, text } from "@/lib/core/fields/vocabulary";
import { keysOf } from "@/lib/core/objects";
import { to } from "@/lib/core/pages";
import {
  colorProblem,
  HELP_TEXT_MAX,
  helpText,
  LOGO_MAX_KB,
  LOGO_TYPES,
  type Organization,
  shortName,
} from "@/lib/organization/schema";

/** The typed values. A color of "" is the default one. */
type Values = { name: string; shortName: string; helpText: string; color: string; logo: string | null };

/** The product's own color, where the organization has chosen none. */
const PRODUCT_COLOR = "#0b6b64";

const schema = z.object({
  name: requiredText(),
  shortName,
  helpText,
  color: z.string().check(
    z.superRefine((color, { addIssue }) => {
      const problem = color === "" ? null : colorProblem(color);
      if (problem !== null) addIssue({ code: "custom", message: problem });
    }),
  ),
  logo: z.nullable(z.string()),
});

const ENTITY = "organization";

const valuesOf = ({ name, shortName, helpText, color, logo }: Organization): Values => ({
  name,
  shortName,
  helpText,
  logo,
  color: color ?? "",
});

/** The fields in the words of a conflict. The logo has no text, so each version of it has a name. */
const TEXTS = z.object({
  [ENTITY]: z.object({
    name: text("Name"),
    shortName: text("Short Name"),
    helpText: longText("Help Text"),
    color: text("Color"),
    logo: text("Logo"),
  }),
});
const describeText = describeIn(TEXTS);
const describe: Describe = (name, versions) => {
  const described = describeText(name, versions);
  if (name !== `${ENTITY}.logo`) return described;
  const images = { base: "The former image", theirs: "Their image", mine: "Your image" };
  const choices = keysOf(images).flatMap((version) => {
    const { [version]: values } = versions;
    const value = "logo" in values && values.logo;
    return typeof value === "string" ? [{ value, label: images[version] }] : [];
  });
  const plain = { required: false, sensitive: false, inErrorReports: false, entered: true };
  return {
    ...described,
    facts: { ...plain, label: described.label, kind: "choice", choices, blank: null },
  };
};

/** The organization's name, logo, color, and help text, with a preview of both color schemes. */
export function OrganizationForm({
  organization,
  timeZone,
}: {
  organization: Organization;
  timeZone: { name: string; now: string };
}) {
  const state = useRecordForm<Organization, Values, Values>({
    stored: organization,
    back: to("settings"),
    entity: ENTITY,
    values: valuesOf(organization),
    resolver: () => schemaResolver<Values, Values>(schema),
  });

  async function save({ color, ...values }: Values) {
    const { lockVersion } = state.base;
    const body = { organization: { ...values, color: color || null, lockVersion } };
    const saved = await state.save(() => call("PUT /api/organization", { body }));
    if (saved) state.leave("Updated organization successfully");
  }

  const compare = () =>
    state.compare({
      prefix: ENTITY,
      describe,
      choices: {},
      read: async () => (await call("GET /api/organization")).organization,
      versions: (stored) => ({
        base: valuesOf(state.base),
        theirs: valuesOf(stored),
        mine: state.form.getValues(),
      }),
    });

  return (
    <RecordFrame state={state} back={to("settings")} onSave={save} onCompare={compare}>
      <Section title="Name and help">
        <FieldGrid>
          <TextField name="name" label="Name" required />
          <TextField name="shortName" label="Short Name" hint="For the header, such as initials." />
        </FieldGrid>
        <TextAreaField
          name="helpText"
          label="Help Text"
          rows={2}
          hint={`On the login page, at the end of prints, and in mail, such as "Help: extension 214". At most ${HELP_TEXT_MAX} characters, without web addresses.`}
        />
        <div>
          <p className="font-medium text-sm">Time Zone</p>
          <p>
            {timeZone.name}, where it is {timeZone.now} now
          </p>
          <p className="mt-1 text-muted text-sm">It decides which day is today. It is set on the server.</p>
        </div>
      </Section>
      <Section title="Logo and color">
        <FieldGrid>
          <LogoField />
          <ColorField />
        </FieldGrid>
        <Preview />
      </Section>
    </RecordFrame>
  );
}

function Preview() {
  const [name, shortName, helpText, color, logo] = useWatch<
    Values,
    ["name", "shortName", "helpText", "color", "logo"]
  >({ name: ["name", "shortName", "helpText", "color", "logo"] });
  const shown = color !== "" && colorProblem(color) === null ? color : null;
  return <BrandPreview brand={{ organization: name, shortName, help: helpText, logo }} color={shown} />;
}

/** Reads a file as a data URL. */
const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

function LogoField() {
  const { field } = useController<Values, "logo">({ name: "logo" });
  const state = useField({ name: "logo", hint: true });
  const choose = async (file: File | undefined) => {
    if (file) field.onChange(await dataUrlOf(file));
  };
  return (
    <Field
      state={state}
      label="Logo"
      hint={`A PNG, JPEG, or WebP image of at most ${LOGO_MAX_KB} KB and 2,000 pixels on each side.`}
    >
      {field.value && (
        <div className="mb-2 flex flex-wrap items-center gap-3">
          <OrganizationLogo src={field.value} className="h-12 border border-line p-1" />
          <Button size="sm" onClick={() => field.onChange(null)}>
            Remove the logo
          </Button>
        </div>
      )}
      <input
        {...state.control}
        type="file"
        accept={LOGO_TYPES.join(",")}
        className="control max-w-full"
        onChange={({ target }) => void choose(target.files?.[0])}
      />
    </Field>
  );
}

function ColorField() {
  const { field } = useController<Values, "color">({ name: "color" });
  const state = useField({ name: "color", hint: true });
  return (
    <Field state={state} label="Color" hint="For buttons and links. Blank for the product's own.">
      <div className="flex gap-2">
        <input
          {...state.control}
          {...field}
          className="control min-w-0 flex-1"
          placeholder={PRODUCT_COLOR}
          autoComplete="off"
        />
        <input
          type="color"
          aria-label="Choose the color"
          className="control w-14 flex-none p-1"
          value={/^#[0-9a-f]{6}$/i.test(field.value) ? field.value : PRODUCT_COLOR}
          onChange={({ target }) => field.onChange(target.value)}
        />
      </div>
    </Field>
  );
}
