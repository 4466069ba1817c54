import { EARLIEST_DAY } from "@/lib/core/text/format";
import type { Draws } from "@/lib/dev/data/draw";
import type { Lists } from "@/lib/dev/data/lists";
import { SHELTER_LINE } from "@/lib/lookups/report-lines";

// One INSERT per table, parents first; forms are returned after their creation. Ids are chosen: an entry of a form has
// the form's id. The values meet the rules of the form's sections (lib/forms/sections), so that every record can be
// saved again unchanged.

export interface Size {
  forms: number;
  clients: number;
  users: number;
  /** The last day of service, YYYY-MM-DD. */
  until: string;
}

/** Eight years of work. */
const DAYS = 2_900;

/** The share of each type among the forms, in percent. */
const FORM_TYPES: Record<string, number> = {
  Service: 45,
  Phone: 25,
  "Legal Advocacy": 14,
  "On-Call Advocacy": 8,
  Survivor: 8,
};

const REFERRALS = [
  "Gave the number of legal aid; appointment next Tuesday.",
  "Referred to the county assistance office.",
  "Warm hand-off to the housing coalition.",
  "Declined a referral for now.",
];

/** Users of the pool `first_names`, `last_names`; $1 is the hash of their password. */
export function users(d: Draws, lists: Lists, { users: count }: Size): string {
  return `INSERT INTO users (first_name, last_name, email, password_hash, role_id, activated_at, last_login_at)
    SELECT f.name, l.name, 'user' || n || '@example.org', $1,
      CASE WHEN n <= 3 THEN ${lists.administrator} ELSE ${lists.advocate} END, now(),
      now() - ${d.even("n", "last sign-in")} * interval '20 days'
    FROM generate_series(1, ${count}) n
      JOIN first_names f ON f.rank = ${d.rank("n", "user first", 400, 20)}
      JOIN last_names l ON l.rank = ${d.rank("n", "user last", 1_000, 100)}
    ORDER BY n RETURNING id`;
}

/** Returns the statements of all other rows, in this order, for users with these ids. */
export function records(
  { even, chance, whole, text, id, rank }: Draws,
  lists: Lists,
  size: Size,
  userIds: number[],
): string[] {
  const ids = (list: number[]) => `('{${list.join(",")}}'::int[])`;
  /** Draws a user. The work is distributed unevenly. */
  const user = (row: string, name: string) => `${ids(userIds)}[${rank(row, name, userIds.length, 4)}]`;
  /** Returns the day on which record `n` of `count` was created. */
  const dayOf = (count: number) =>
    `(DATE '${size.until}' - ${DAYS} + floor(n::float8 / ${count} * ${DAYS})::int)`;
  /** Selects the ids of the forms whose type has a section. */
  const formsWith = (section: string) =>
    `SELECT f.id AS n, f.service_on FROM forms f JOIN form_types t ON t.id = f.form_type_id WHERE t.${section}`;
  const shape = even("n", "shape of the name");
  let share = 0;
  const type = lists.formTypes
    .map(({ id, name }) => {
      share += (FORM_TYPES[name] ?? 0) / 100;
      return `WHEN ${even("n", "form type")} < ${share.toFixed(2)} THEN ${id}`;
    })
    .join(" ");
  const offered = lists.offered
    .map(({ type, magisterial, codes }) => `(${type}, ${magisterial}, ${ids(codes)})`)
    .join(", ");
  return [
    `INSERT INTO clients (id, name, significant_other, relationship_to_survivor, verbal_confirmation,
      created_on, user_id, created_at, updated_at)
    SELECT n,
      CASE WHEN ${shape} < 0.004 THEN 'Anonymous'
        WHEN ${shape} < 0.009 THEN 'Jane Doe'
        WHEN ${shape} < 0.05 THEN f.name || ' ' || l.name || '-' || other.name
        WHEN ${shape} < 0.07 THEN f.name || ' ' || l.name || ' ' || other.name
        WHEN ${shape} < 0.15 THEN f.name || ' ' || chr(${whole("n", "initial", 65, 90)}) || '. ' || l.name
        ELSE f.name || ' ' || l.name END,
      significant, CASE WHEN significant THEN ${text("n", "relationship", ["Mother", "Brother", "Adult daughter", "Friend"])} ELSE '' END,
      ${chance("n", "confirmed", 0.9)}, day, ${user("n", "advocate")}, day, day
    FROM (SELECT n, ${dayOf(size.clients)} AS day, ${chance("n", "significant", 0.1)} AS significant,
        ${rank("n", "first name", 1_500, 6)} AS first_rank, ${rank("n", "last name", 20_000, 25)} AS last_rank,
        ${rank("n", "other name", 20_000, 25)} AS other_rank FROM generate_series(1, ${size.clients}) n) AS drawn
      JOIN first_names f ON f.rank = first_rank
      JOIN last_names l ON l.rank = last_rank
      JOIN last_names other ON other.rank = other_rank
    ORDER BY n`,
    `INSERT INTO client_biographical_entries (client_id,
      age_bracket_id, fictitious_name, address, address2, city, state, postal_code, phone_number, safe_to_call, date_of_birth)
    SELECT id, ${id("id", "age", lists.age_brackets)}, ${chance("id", "fictitious", 0.05)},
      ${whole("id", "house", 1, 4_000)} || ' ' || ${text("id", "street", ["Oak", "Maple", "Main", "Third", "Penn", "Walnut", "Mill"])} || ' Street',
      CASE WHEN ${chance("id", "flat", 0.3)} THEN 'Apartment ' || ${whole("id", "flat number", 1, 40)} ELSE '' END,
      ${text("id", "city", ["Samplesburg", "Samplesburg", "Samplesburg", "Exampleton", "Fictionville", "Mockingham"])}, 'PA',
      '00' || ${whole("id", "postal", 100, 999)}, '(412) 555-' || ${whole("id", "phone", 1_000, 9_999)},
      ${chance("id", "safe", 0.7)}, created_on - ${whole("id", "days of age", 18 * 366, 80 * 365)}
    FROM clients WHERE ${chance("id", "biographical", 0.75)}`,
    `INSERT INTO client_demographic_entries (client_id, age_bracket_id,
      ethnicity_id, gender, lgbt, elderly, remote_area, limited_english, immigrant, homeless, military, disability, disability_mental)
    SELECT id, ${id("id", "age", lists.age_brackets)}, ${id("id", "ethnicity", lists.ethnicities)},
      ${text("id", "gender", ["Female", "Female", "Female", "Female", "Female", "Male", "Unknown", "Transgender", "Other"])},
      ${chance("id", "lgbt", 0.1)}, ${chance("id", "elderly", 0.1)}, ${chance("id", "remote", 0.2)},
      ${chance("id", "english", 0.1)}, ${chance("id", "immigrant", 0.1)}, ${chance("id", "homeless", 0.15)},
      ${chance("id", "military", 0.05)}, ${chance("id", "disability", 0.25)}, ${chance("id", "disability", 0.12)}
    FROM clients WHERE ${chance("id", "demographic", 0.9)}`,
    // A form's client was new shortly before it, or is one of the tenth of clients who stay for years.
    `INSERT INTO forms (id, client_id, form_type_id, service_on, service_status, verbal_confirmation, canine_id,
      reconciled, user_id, lock_version, created_at, updated_at)
    SELECT n, c.id, t.id, day - floor(14 * power(${even("n", "lag")}, 3))::int,
      CASE WHEN ${chance("n", "served", 0.8)} THEN 'Served'
        WHEN ${chance("n", "partially", 0.7)} THEN 'Partially Served' ELSE 'Not Served' END,
      ${chance("n", "form confirmed", 0.95)},
      CASE WHEN t.phone OR ${chance("n", "no canine", 0.85)} THEN ${lists.noCanine} ELSE ${id("n", "canine", lists.canines)} END,
      CASE WHEN n < 0.85 * ${size.forms} THEN ${chance("n", "reconciled", 0.97)} ELSE ${chance("n", "reconciled", 0.5)} END,
      CASE WHEN ${chance("n", "own advocate", 0.7)} THEN c.user_id ELSE ${user("n", "form's advocate")} END,
      ${whole("n", "version", 0, 3)}, day + interval '17 hours', day + interval '18 hours'
    FROM (SELECT n, ${dayOf(size.forms)} AS day, CASE ${type} ELSE ${lists.formTypes[0]?.id} END AS type,
        ceil(n::float8 / ${size.forms} * ${size.clients} * (1 - power(${even("n", "past")}, 3)))::int AS recent
        FROM generate_series(1, ${size.forms}) n) AS drawn
      JOIN form_types t ON t.id = type
      JOIN clients c ON c.id = greatest(1, CASE WHEN ${chance("n", "stays", 0.3)} THEN recent / 10 * 10 ELSE recent END)
    ORDER BY n`,
    // Up to four forms of each advocate are returned for corrections.
    `UPDATE forms f SET returned_by_id = ${userIds[0]},
      returned_at = f.created_at + interval '3 days', checked_at = f.created_at + interval '3 days',
      return_comment = ${text("f.id", "return", ["Who was there?", "Please add the minutes of the hearing.", "Which code is it?"])}
    FROM (SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY ${even("id", "returned")}, id) AS place
      FROM forms WHERE NOT reconciled) AS drawn
    WHERE drawn.id = f.id AND place <= 4`,
    // One contact for ten forms: a few are an evening's calls, and a few were turned away from shelter.
    `INSERT INTO contacts (contacted_on, contact_kind_id, number, minutes, user_id,
      shelter_requested, adults, turned_away_reason)
    SELECT date '${size.until}' - ${whole("n", "contacted", 0, DAYS)},
      ${id("n", "contact kind", lists.contact_kinds)},
      CASE WHEN ${chance("n", "tally", 0.05)} THEN ${whole("n", "calls", 2, 40)} ELSE 1 END,
      5 * ${whole("n", "contact minutes", 0, 9)}, ${user("n", "contact")},
      ${chance("n", "turned away", 0.05)}, CASE WHEN ${chance("n", "turned away", 0.05)} THEN 1 ELSE 0 END,
      CASE WHEN ${chance("n", "turned away", 0.05)} THEN 'capacity' ELSE '' END
    FROM generate_series(1, ${Math.floor(size.forms / 10)}) n`,
    // A new database has no shelters.
    `INSERT INTO shelters (name, kind, beds) VALUES ('Lantern House', 'In-house', 24),
      ('Maple Safe Home', 'Safe home', 6), ('Riverside Motel', 'Hotel or motel', 0)
    ON CONFLICT (name) DO NOTHING`,
    `INSERT INTO report_mappings (report, kind, source, line, valid_from)
    SELECT 'fvpsa', 'shelter', id::text, '${SHELTER_LINE}', '${EARLIEST_DAY}' FROM shelters s
    WHERE NOT EXISTS (SELECT FROM report_mappings m WHERE m.kind = 'shelter' AND m.source = s.id::text)`,
    // One stay for fifty forms, each of another client, of up to three months. The last ones are open.
    `INSERT INTO stays (client_id, shelter_id, entered_on, left_on, adults, children_thirteen_to_seventeen,
      children_under_thirteen, medical_advocacy, user_id)
    SELECT client_id, (SELECT array_agg(id ORDER BY id) FROM shelters)[${whole("n", "shelter", 1, 3)}],
      entered, CASE WHEN entered + nights <= date '${size.until}' THEN entered + nights END,
      CASE WHEN ${chance("n", "other adult", 0.1)} THEN 1 ELSE 0 END, ${whole("n", "older children", 0, 1)},
      ${whole("n", "young children", 0, 2)}, ${chance("n", "medical", 0.1)}, ${user("n", "stay")}
    FROM (SELECT n, ceil(n::float8 * ${size.clients} / ${Math.floor(size.forms / 50)})::int AS client_id,
        date '${size.until}' - ${whole("n", "entered", 0, DAYS)} AS entered, ${whole("n", "nights", 0, 90)} AS nights
      FROM generate_series(1, ${Math.floor(size.forms / 50)}) n) AS drawn`,
    `INSERT INTO form_comments (form_id, user_id, at, text)
    SELECT id, returned_by_id, returned_at, return_comment FROM forms WHERE returned_at IS NOT NULL ORDER BY id`,
    `INSERT INTO intake_forms (id, form_id, referral_source_id, referral_source_name)
    SELECT f.id, f.id, CASE WHEN t.intake_only THEN NULL ELSE ${id("f.id", "source", lists.referral_sources)} END,
      CASE WHEN NOT t.intake_only AND ${chance("f.id", "source named", 0.3)}
        THEN ${text("f.id", "source name", ["Officer Sample", "Dr. Example", "Ms. Invented"])} ELSE '' END
    FROM forms f JOIN form_types t ON t.id = f.form_type_id`,
    `INSERT INTO phone_entries (id, intake_form_id, survivor_drugs_alcohol, offender_drugs_alcohol,
      survivor_mental_health, offender_mental_health, current_pfa_order, previous_pfas, previous_pfas_description,
      related_arrests, related_arrests_description, guns, other_weapons, lethality_assessed)
    SELECT n, n, ${chance("n", "survivor drugs", 0.15)}, ${chance("n", "offender drugs", 0.45)},
      ${chance("n", "survivor health", 0.3)}, ${chance("n", "offender health", 0.3)},
      ${text("n", "order", ["None", "None", "Temporary", "Final"])}, ${chance("n", "pfas", 0.4)},
      CASE WHEN ${chance("n", "pfas", 0.4)} THEN 'Granted in ' || ${whole("n", "year", 2015, 2025)} || ', expired.' ELSE '' END,
      ${chance("n", "arrests", 0.35)},
      CASE WHEN ${chance("n", "arrests", 0.35)} THEN 'Simple assault; the charges were withdrawn.' ELSE '' END,
      ${chance("n", "guns", 0.25)}, ${chance("n", "weapons", 0.2)}, ${chance("n", "lethality", 0.6)}
    FROM (${formsWith("phone_entry")}) AS f`,
    `INSERT INTO income_and_education_entries (phone_entry_id,
      education_level_id, income_level_id, tanf, ssi_ssd)
    SELECT id, ${id("id", "education", lists.education_levels)}, ${id("id", "income", lists.income_levels)},
      ${chance("id", "tanf", 0.2)}, ${chance("id", "ssi", 0.15)} FROM phone_entries`,
    `INSERT INTO on_call_advocacy_entries (intake_form_id, evaluation_given,
      place_of_service, place_of_service_name)
    SELECT n, ${chance("n", "evaluation", 0.6)},
      ${text("n", "place", ["Hospital", "Hospital", "Police Department", "Hotel", "Other"])}, 'Samplesburg'
    FROM (${formsWith("on_call_advocacy_entry")}) AS f`,
    `INSERT INTO legal_advocacy_entries (id, intake_form_id, evaluation_given,
      place_of_service, place_of_service_name)
    SELECT n, n, ${chance("n", "evaluation", 0.6)}, ${text("n", "court", ["M", "M", "CT", "CT", "PF"])},
      'Sample County, room ' || ${whole("n", "room", 1, 12)}
    FROM (${formsWith("legal_advocacy_entry")}) AS f`,
    `INSERT INTO pfa_court_entries (legal_advocacy_entry_id,
      pfa_court_contact_type_id, pfa_granted, first_pfa)
    SELECT id, ${id("id", "contact", lists.pfa_court_contact_types)}, ${chance("id", "granted", 0.6)}, ${chance("id", "first pfa", 0.5)}
    FROM legal_advocacy_entries WHERE place_of_service = 'CT'`,
    `INSERT INTO magisterial_entries (legal_advocacy_entry_id,
      magisterial_court_outcome_id, first_criminal_court)
    SELECT id, ${id("id", "outcome", lists.magisterial_court_outcomes)}, ${chance("id", "first court", 0.5)}
    FROM legal_advocacy_entries WHERE place_of_service = 'M'`,
    `INSERT INTO survivor_entries (id, intake_form_id, offender_relationship_id,
      custody_status_id, hate_crime_category_id, child_ages, number_of_children, brain_injury_assessed)
    SELECT n, n, ${id("n", "offender", lists.offender_relationships)}, ${id("n", "custody", lists.custody_statuses)},
      CASE WHEN ${chance("n", "hate crime", 0.05)} THEN ${id("n", "category", lists.hate_crime_categories)} END,
      CASE children WHEN 0 THEN '' WHEN 1 THEN '7' ELSE '9, 4' END, children, ${chance("n", "brain injury", 0.5)}
    FROM (SELECT n, ${whole("n", "children", 0, 2)} AS children FROM (${formsWith("survivor_entry")}) AS f) AS f`,
    `INSERT INTO survivor_entry_secondary_victimizations
      (survivor_entry_id, secondary_victimization_id)
    SELECT DISTINCT id, ${id("id * 4 + k", "victimization", lists.secondary_victimizations)}
    FROM survivor_entries, generate_series(1, 3) k WHERE k <= ${whole("id", "victimizations", 0, 3)}`,
    `INSERT INTO brain_injury_entries (survivor_entry_id, injured_head, emergency_visit,
      emergency_visit_on, lost_consciousness, physical_symptoms, sensory_changes, psychological_changes)
    SELECT s.id, ${chance("s.id", "head", 0.5)}, ${chance("s.id", "visit", 0.4)},
      CASE WHEN ${chance("s.id", "visit", 0.4)} THEN f.service_on - ${whole("s.id", "days since", 0, 20)} END,
      ${chance("s.id", "consciousness", 0.2)}, ${chance("s.id", "physical", 0.4)},
      ${chance("s.id", "sensory", 0.3)}, ${chance("s.id", "psychological", 0.4)}
    FROM survivor_entries s JOIN forms f ON f.id = s.id WHERE s.brain_injury_assessed`,
    `INSERT INTO offender_entries (survivor_entry_id, name, threatened_pet, harmed_pet, pet_description)
    SELECT id, f.name || ' ' || l.name, ${chance("id", "pet", 0.2)}, ${chance("id", "pet", 0.08)},
      CASE WHEN ${chance("id", "pet", 0.2)} THEN 'Old beagle' ELSE '' END
    FROM survivor_entries JOIN first_names f ON f.rank = ${rank("id", "offender first", 400, 6)}
      JOIN last_names l ON l.rank = ${rank("id", "offender last", 5_000, 25)}`,
    `INSERT INTO service_entries (id, form_id, other_service, other_service_minutes)
    SELECT n, n, CASE WHEN ${chance("n", "other service", 0.1)} THEN 'Letter to the landlord' ELSE '' END,
      CASE WHEN ${chance("n", "other service", 0.1)} THEN 20 ELSE 0 END
    FROM (${formsWith("service_entry")}) AS f`,
    // About four rows a form, each code at most once, a few codes most often. Forms before a magistrate have only
    // magistrate codes.
    `INSERT INTO service_provided_entries (id, service_entry_id,
      service_code_id, magisterial, minutes, referrals)
    SELECT n * 8 + k, n, c.id, offered.magisterial, 5 * ${whole("n * 8 + k", "minutes", 1, 18)},
      CASE WHEN c.has_referral AND ${chance("n * 8 + k", "referred", 0.6)}
        THEN ${text("n * 8 + k", "referral", REFERRALS)} ELSE '' END
    FROM (SELECT f.id AS n, f.form_type_id, coalesce(l.place_of_service = 'M', false) AS magisterial,
        floor(${even("f.id", "services")} * 7.04)::int AS more, power(${even("f.id", "first code")}, 2) AS first
        FROM service_entries s JOIN forms f ON f.id = s.form_id LEFT JOIN legal_advocacy_entries l ON l.id = f.id) AS f
      JOIN (VALUES ${offered})
        AS offered(type, magisterial, codes) ON type = form_type_id AND offered.magisterial = f.magisterial,
      generate_series(0, least(more, cardinality(codes) - 1)) k
      JOIN LATERAL (SELECT codes[1 + (floor(first * cardinality(codes))::int + k) % cardinality(codes)]) AS chosen(code_id) ON true
      JOIN service_codes c ON c.id = code_id`,
    `INSERT INTO videoconferencing_entries (service_provided_entry_id, emergency_pfa_granted, reason)
    SELECT p.id, ${chance("p.id", "emergency", 0.6)},
      CASE WHEN ${chance("p.id", "emergency", 0.6)} THEN '' ELSE 'A petition was requested in the morning.' END
    FROM service_provided_entries p JOIN service_codes c ON c.id = p.service_code_id WHERE c.videoconferencing`,
    `INSERT INTO hotel_shelter_entries (service_provided_entry_id, met_needs,
      children_under_thirteen, children_thirteen_to_seventeen, adults, reason)
    SELECT p.id, ${chance("p.id", "met", 0.75)}, ${whole("p.id", "young", 0, 2)}, ${whole("p.id", "older", 0, 1)}, 1,
      CASE WHEN ${chance("p.id", "met", 0.75)} THEN '' ELSE 'No room that takes pets was free.' END
    FROM service_provided_entries p JOIN service_codes c ON c.id = p.service_code_id WHERE c.hotel_shelter`,
    `INSERT INTO service_status_entries (form_id, appropriate_services, language_capacities,
      agency_capacity, transportation_or_access, culturally_appropriate, disabilities, other)
    SELECT id, reason = 0, reason = 1, reason = 2 OR ${chance("id", "agency", 0.3)},
      reason = 3 OR ${chance("id", "transport", 0.3)}, reason = 4, reason = 5, reason = 6
    FROM (SELECT id, ${whole("id", "reason", 0, 6)} AS reason FROM forms WHERE service_status <> 'Served') AS f`,
  ];
}
