import { section } from "@/components/record/section";
import { phone } from "@/lib/forms/sections/phone";

export const PHONE = section("form.intakeForm.phoneEntry", phone.schema, ({ fields, entry }) => [
  fields(["currentPfaOrder"]),
  fields([
    "previousPfas",
    "previousPfasDescription",
    "relatedArrests",
    "relatedArrestsDescription",
    "survivorDrugsAlcohol",
    "offenderDrugsAlcohol",
    "survivorMentalHealth",
    "offenderMentalHealth",
    "guns",
    "otherWeapons",
    "lethalityAssessed",
  ]),
  entry("incomeAndEducationEntry", ["educationLevelId", "incomeLevelId", "tanf", "ssiSsd"]),
]);
