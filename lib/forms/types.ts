/** The flags of a form type (spec §3): which sections a form of that type carries. */
export type FormTypeFlags = {
  intakeOnly: boolean;
  phone: boolean;
  serviceEntry: boolean;
  onCallAdvocacyEntry: boolean;
  phoneEntry: boolean;
  legalAdvocacyEntry: boolean;
  survivorEntry: boolean;
  clientBiographicalEntry: boolean;
  clientDemographicalEntry: boolean;
};

export type FormType = FormTypeFlags & { id: number; name: string };

/** What the rules need to know of a service code. */
export type ServiceCode = {
  id: number;
  code: string;
  description: string;
  hotelShelter: boolean;
  videoconferencing: boolean;
  canBeMagistrate: boolean;
  onCallMainType: boolean;
  hasReferral: boolean;
};
