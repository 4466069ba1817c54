import type { Biographical, Demographic } from "@/lib/clients/schema";
import { to } from "@/lib/core/pages";
import type { ServiceEntry } from "@/lib/forms/sections/services";
import type { SurvivorEntry } from "@/lib/forms/sections/survivor";
import type { FormTypeFlags } from "@/lib/lookups/types";
import type { GapField } from "@/lib/reports/definitions";
import type { StayInput } from "@/lib/shelter/schema";

/** The parts of a form that contain a gap's fields. A form's type determines its parts. */
export type GapSections = Pick<
  FormTypeFlags,
  "clientBiographicalEntry" | "clientDemographicalEntry" | "survivorEntry" | "serviceEntry"
>;

type ClientField =
  | `clientBiographicalEntry-${keyof Biographical}`
  | `clientDemographicEntry-${keyof Demographic}`;
type FormField =
  | `client-${ClientField}`
  | `form-intakeForm-survivorEntry-${keyof SurvivorEntry}`
  | `form-serviceEntry-${keyof ServiceEntry}`;

export type GapPlace = {
  /** The anchor of the field on the client's screen; null if that screen does not have it. */
  onClient: `#field-${ClientField}` | null;
  /** The anchor of the field on a stay's screen. */
  onStay?: `#field-${keyof StayInput}`;
  /** The anchors of the field on a form's screen, by the part that contains it, the preferred one first. */
  onForm: readonly { section: keyof GapSections; anchor: "#services" | `#field-${FormField}` }[];
};

const SURVIVOR_FIELD = "#field-form-intakeForm-survivorEntry-offenderRelationshipId";
const SERVICES = { onClient: null, onForm: [{ section: "serviceEntry", anchor: "#services" }] } as const;

const GENDER: GapPlace = {
  onClient: "#field-clientDemographicEntry-gender",
  onForm: [{ section: "clientDemographicalEntry", anchor: "#field-client-clientDemographicEntry-gender" }],
};

/** The fields that fill each gap. */
export const GAP_PLACES: Readonly<Record<GapField, GapPlace>> = {
  race: {
    onClient: "#field-clientDemographicEntry-ethnicityId",
    onForm: [
      { section: "clientDemographicalEntry", anchor: "#field-client-clientDemographicEntry-ethnicityId" },
    ],
  },
  gender: GENDER,
  sex: GENDER,
  age: {
    onClient: "#field-clientBiographicalEntry-dateOfBirth",
    onForm: [
      { section: "clientBiographicalEntry", anchor: "#field-client-clientBiographicalEntry-dateOfBirth" },
      { section: "clientDemographicalEntry", anchor: "#field-client-clientDemographicEntry-ageBracketId" },
    ],
  },
  victimization: { onClient: null, onForm: [{ section: "survivorEntry", anchor: SURVIVOR_FIELD }] },
  // Not a missing answer: its value needs a line in Reports Setup.
  ownField: { onClient: null, onForm: [] },
  serviceCode: SERVICES,
  otherService: {
    onClient: null,
    onForm: [{ section: "serviceEntry", anchor: "#field-form-serviceEntry-otherServiceMinutes" }],
  },
  minutes: SERVICES,
  // The stay or the service that is missing is another record.
  shelterService: { onClient: null, onForm: [] },
  shelterStay: { onClient: null, onForm: [] },
  openSeries: { onClient: null, onForm: [] },
  openStay: { onClient: null, onForm: [], onStay: "#field-leftOn" },
};

/** Returns the anchor of the field on a form whose type has these parts, or "". */
export const anchorOnForm = ({ onForm }: GapPlace, has: GapSections): string =>
  onForm.find(({ section }) => has[section])?.anchor ?? "";

/**
 * Returns the URL for a new form of this type and day of service for the client, at the field. `from` is the query that
 * leads back. Used for the victimization gap: a client served on a form without a survivor section needs another form.
 */
export const newFormAt = (clientId: number, formTypeId: number, serviceOn: string, from: string): string =>
  `${to("formsNew")}${from}&${new URLSearchParams({ clientId: String(clientId), formTypeId: String(formTypeId), serviceOn })}${SURVIVOR_FIELD}`;
