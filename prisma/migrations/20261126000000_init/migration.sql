-- The whole schema of the program before version 1.0.0 (commit df3eb6d6), in place of its 50 migrations. In a database with
-- exactly those, lib/ops/migrate.ts marks this one as applied. Checks, functions, partitions, and the indexes on
-- expressions and on parts of a table are those that prisma/schema.prisma cannot express.

CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

-- "O'Brien-Núñez, Ana" → "obrien nunez ana"
CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN trim(regexp_replace(
  regexp_replace(lower(normalize(name, NFD)), '[\u0300-\u036f''’ʼ`]', '', 'g'),
  '[^[:alnum:]]+', ' ', 'g'
));

CREATE FUNCTION name_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (string_to_array(fold_name(name), ' '))[1:8];

-- How the words may be pronounced in English: "Katherine Smith" → {K0RN,KTRN,SM0,XMT}
CREATE FUNCTION name_sounds(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT sound), '{}')
  FROM unnest(name_words(name)) AS word, unnest(ARRAY[dmetaphone(word), dmetaphone_alt(word)]) AS sound
  WHERE sound <> ''
);

-- Every letter and every two adjacent letters of a name, which a trigram index cannot find: "ana" → {a,an,n,na}
CREATE FUNCTION name_pairs(folded text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT substr(folded, at, size)), '{}')
  FROM generate_series(1, length(folded)) AS at, generate_series(1, 2) AS size
);

-- Added to every transaction id, so that positions still rise after a restore into a newer PostgreSQL cluster, whose ids
-- are smaller. The start replaces it (lib/ops/program-role.ts).
CREATE FUNCTION audit_offset() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 0::bigint;

-- The position of a row that is written now.
CREATE FUNCTION audit_position() RETURNS bigint LANGUAGE sql VOLATILE
RETURN pg_current_xact_id()::text::bigint + audit_offset();

-- Everything before this position has been committed or rolled back, so that no row can be added there.
CREATE FUNCTION audit_horizon() RETURNS bigint LANGUAGE sql STABLE
RETURN pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_offset();

CREATE TABLE age_brackets (
  id serial,
  name citext NOT NULL,
  range_start integer NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT age_brackets_pkey PRIMARY KEY (id),
  CONSTRAINT age_brackets_range_start_check CHECK (range_start >= 0)
);
CREATE UNIQUE INDEX age_brackets_name_key ON age_brackets (name);

CREATE TABLE api_tokens (
  id serial,
  user_id integer NOT NULL,
  name text NOT NULL,
  token_hash text NOT NULL,
  permission_ids integer[],
  addresses text[],
  expires_on date NOT NULL,
  generation integer NOT NULL,
  last_used_on date,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT api_tokens_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX api_tokens_token_hash_key ON api_tokens (token_hash);
CREATE INDEX api_tokens_user_id_idx ON api_tokens (user_id);

CREATE SEQUENCE audit_events_id_seq AS bigint;
CREATE TABLE audit_events (
  id bigint DEFAULT nextval('audit_events_id_seq') NOT NULL,
  at timestamptz(3) DEFAULT now() NOT NULL,
  "position" bigint DEFAULT audit_position() NOT NULL,
  user_id integer,
  user_name text NOT NULL,
  action text NOT NULL,
  entity text,
  entity_id integer,
  client_id integer,
  request_id text,
  address text,
  fields text[],
  rows integer,
  shown integer[],
  key_id uuid,
  details bytea,
  CONSTRAINT audit_events_pkey PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
ALTER SEQUENCE audit_events_id_seq OWNED BY audit_events.id;
CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;
CREATE INDEX audit_events_action_at_id_idx ON audit_events (action, at, id);
CREATE INDEX audit_events_entity_entity_id_at_id_idx ON audit_events (entity, entity_id, at, id);
CREATE INDEX audit_events_id_idx ON audit_events (id);
CREATE INDEX audit_events_position_idx ON audit_events ("position");
CREATE INDEX audit_events_shown ON audit_events USING gin (shown) WHERE (shown IS NOT NULL);
CREATE INDEX audit_events_user_id_at_id_idx ON audit_events (user_id, at, id);
CREATE INDEX audit_events_exported ON audit_events USING gin (shown) WHERE (action = 'exported'::text);

CREATE TABLE audit_retention (
  months integer NOT NULL,
  CONSTRAINT audit_retention_pkey PRIMARY KEY (months),
  CONSTRAINT audit_retention_months_check CHECK (months > 0)
);

CREATE TABLE audit_seals (
  id integer NOT NULL,
  at timestamptz(3) NOT NULL,
  "position" bigint NOT NULL,
  entries bytea NOT NULL,
  hmac bytea NOT NULL,
  CONSTRAINT audit_seals_pkey PRIMARY KEY (id)
);

CREATE TABLE brain_injury_entries (
  id serial,
  survivor_entry_id integer NOT NULL,
  injured_head boolean DEFAULT false NOT NULL,
  emergency_visit boolean DEFAULT false NOT NULL,
  emergency_visit_on date,
  lost_consciousness boolean DEFAULT false NOT NULL,
  physical_symptoms boolean DEFAULT false NOT NULL,
  sensory_changes boolean DEFAULT false NOT NULL,
  psychological_changes boolean DEFAULT false NOT NULL,
  CONSTRAINT brain_injury_entries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX brain_injury_entries_survivor_entry_id_key ON brain_injury_entries (survivor_entry_id);

CREATE TABLE canines (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT canines_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX canines_name_key ON canines (name);

CREATE TABLE client_ages (
  client_id integer NOT NULL,
  since date NOT NULL,
  age_bracket_id integer NOT NULL,
  CONSTRAINT client_ages_pkey PRIMARY KEY (client_id, since)
);
CREATE INDEX client_ages_age_bracket_id_idx ON client_ages (age_bracket_id);

CREATE TABLE client_biographical_entries (
  id serial,
  client_id integer NOT NULL,
  age_bracket_id integer,
  fictitious_name boolean DEFAULT false NOT NULL,
  address text DEFAULT '' NOT NULL,
  address2 text DEFAULT '' NOT NULL,
  city text DEFAULT '' NOT NULL,
  state text DEFAULT '' NOT NULL,
  postal_code text DEFAULT '' NOT NULL,
  phone_number text DEFAULT '' NOT NULL,
  safe_to_call boolean DEFAULT false NOT NULL,
  date_of_birth date,
  CONSTRAINT client_biographical_entries_pkey PRIMARY KEY (id),
  CONSTRAINT client_biographical_entries_date_of_birth_check CHECK (date_of_birth >= '1900-01-01')
);
CREATE INDEX client_biographical_entries_age_bracket_id_idx ON client_biographical_entries (age_bracket_id);
CREATE UNIQUE INDEX client_biographical_entries_client_id_key ON client_biographical_entries (client_id);

CREATE TABLE client_demographic_entries (
  id serial,
  client_id integer NOT NULL,
  age_bracket_id integer,
  ethnicity_id integer,
  ethnicity_other text DEFAULT '' NOT NULL,
  gender text DEFAULT 'Unknown' NOT NULL,
  lgbt boolean DEFAULT false NOT NULL,
  elderly boolean DEFAULT false NOT NULL,
  remote_area boolean DEFAULT false NOT NULL,
  limited_english boolean DEFAULT false NOT NULL,
  immigrant boolean DEFAULT false NOT NULL,
  homeless boolean DEFAULT false NOT NULL,
  military boolean DEFAULT false NOT NULL,
  disability boolean DEFAULT false NOT NULL,
  disability_physical boolean DEFAULT false NOT NULL,
  disability_cognitive boolean DEFAULT false NOT NULL,
  disability_mental boolean DEFAULT false NOT NULL,
  disability_deaf boolean DEFAULT false NOT NULL,
  CONSTRAINT client_demographic_entries_pkey PRIMARY KEY (id),
  CONSTRAINT client_demographic_entries_gender_check CHECK (gender IN ('Unknown', 'Male', 'Female', 'Transgender', 'Other'))
);
CREATE INDEX client_demographic_entries_age_bracket_id_idx ON client_demographic_entries (age_bracket_id);
CREATE UNIQUE INDEX client_demographic_entries_client_id_key ON client_demographic_entries (client_id);
CREATE INDEX client_demographic_entries_ethnicity_id_idx ON client_demographic_entries (ethnicity_id);

CREATE TABLE client_holds (
  client_id integer NOT NULL,
  reason text NOT NULL,
  held_by_id integer,
  held_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT client_holds_pkey PRIMARY KEY (client_id)
);
CREATE INDEX client_holds_held_by_id_idx ON client_holds (held_by_id);

CREATE TABLE client_keys (
  id uuid NOT NULL,
  client_id integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  also_ids integer[] DEFAULT ARRAY[]::integer[],
  CONSTRAINT client_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX client_keys_also_ids_idx ON client_keys USING gin (also_ids);
CREATE INDEX client_keys_client_id_idx ON client_keys (client_id);

CREATE TABLE client_merges (
  id serial,
  client_id integer NOT NULL,
  merged_id integer NOT NULL,
  user_id integer,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  key_id uuid NOT NULL,
  details bytea,
  CONSTRAINT client_merges_pkey PRIMARY KEY (id)
);
CREATE INDEX client_merges_key_id_idx ON client_merges (key_id);
CREATE UNIQUE INDEX client_merges_merged_id_key ON client_merges (merged_id);
CREATE INDEX client_merges_user_id_idx ON client_merges (user_id);

CREATE TABLE client_restrictions (
  client_id integer NOT NULL,
  user_id integer NOT NULL,
  created_by_id integer,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT client_restrictions_pkey PRIMARY KEY (client_id, user_id)
);
CREATE INDEX client_restrictions_created_by_id_idx ON client_restrictions (created_by_id);
CREATE INDEX client_restrictions_user_id_client_id_idx ON client_restrictions (user_id, client_id);

CREATE TABLE clients (
  id serial,
  name text NOT NULL,
  significant_other boolean DEFAULT false NOT NULL,
  relationship_to_survivor text DEFAULT '' NOT NULL,
  verbal_confirmation boolean DEFAULT false NOT NULL,
  created_on date NOT NULL,
  user_id integer NOT NULL,
  updated_by_id integer,
  lock_version integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  name_folded text COLLATE "C" GENERATED ALWAYS AS (fold_name(name)) STORED NOT NULL,
  name_sounds text[] GENERATED ALWAYS AS (name_sounds(name)) STORED NOT NULL,
  purged boolean DEFAULT false NOT NULL,
  custom jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT clients_id_name_folded_key UNIQUE (id, name_folded),
  CONSTRAINT clients_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02);
CREATE INDEX clients_created_on_id_idx ON clients (created_on, id) INCLUDE (purged);
CREATE INDEX clients_name_folded_id_idx ON clients (name_folded, id) INCLUDE (purged);
CREATE INDEX clients_name_folded_trgm ON clients USING gin (name_folded gin_trgm_ops);
CREATE INDEX clients_name_joined ON clients (replace(name_folded, ' '::text, ''::text));
CREATE INDEX clients_name_pairs ON clients USING gin (name_pairs(name_folded));
CREATE INDEX clients_name_sounds ON clients USING gin (name_sounds);
CREATE INDEX clients_updated_by_id_idx ON clients (updated_by_id);
CREATE INDEX clients_user_id_created_on_id_idx ON clients (user_id, created_on, id) INCLUDE (purged);
CREATE INDEX clients_user_id_id_idx ON clients (user_id, id) INCLUDE (purged);
CREATE INDEX clients_user_id_name_folded_id_idx ON clients (user_id, name_folded, id) INCLUDE (purged);

CREATE TABLE closed_periods (
  id integer DEFAULT 1 NOT NULL,
  closed_through date,
  CONSTRAINT closed_periods_pkey PRIMARY KEY (id),
  CONSTRAINT closed_periods_id_check CHECK (id = 1)
);

CREATE TABLE contact_kinds (
  id serial,
  name citext NOT NULL,
  counts_as_hotline boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT contact_kinds_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX contact_kinds_name_key ON contact_kinds (name);

CREATE TABLE contacts (
  id serial,
  contacted_on date NOT NULL,
  contact_kind_id integer NOT NULL,
  number integer DEFAULT 1 NOT NULL,
  minutes integer DEFAULT 0 NOT NULL,
  age_bracket_id integer,
  gender text DEFAULT 'Unknown' NOT NULL,
  referral_source_id integer,
  shelter_requested boolean DEFAULT false NOT NULL,
  adults integer DEFAULT 0 NOT NULL,
  children integer DEFAULT 0 NOT NULL,
  turned_away_reason text DEFAULT '' NOT NULL,
  form_id integer,
  user_id integer NOT NULL,
  updated_by_id integer,
  lock_version integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT contacts_pkey PRIMARY KEY (id),
  CONSTRAINT contacts_check CHECK (adults BETWEEN 0 AND 99 AND children BETWEEN 0 AND 99),
  CONSTRAINT contacts_check1 CHECK (shelter_requested OR ((adults = 0) AND (children = 0) AND (turned_away_reason = ''))),
  CONSTRAINT contacts_check2 CHECK ((form_id IS NULL) OR (number = 1)),
  CONSTRAINT contacts_contacted_on_check CHECK (contacted_on >= '1900-01-01'),
  CONSTRAINT contacts_gender_check CHECK (gender IN ('Unknown', 'Male', 'Female', 'Transgender', 'Other')),
  CONSTRAINT contacts_minutes_check CHECK (minutes BETWEEN 0 AND 1440),
  CONSTRAINT contacts_number_check CHECK (number BETWEEN 1 AND 500),
  CONSTRAINT contacts_turned_away_reason_check CHECK (turned_away_reason IN ('', 'capacity', 'not_appropriate', 'other'))
);
CREATE INDEX contacts_age_bracket_id_idx ON contacts (age_bracket_id);
CREATE INDEX contacts_contact_kind_id_idx ON contacts (contact_kind_id);
CREATE INDEX contacts_contacted_on_id_idx ON contacts (contacted_on, id);
CREATE UNIQUE INDEX contacts_form_id_key ON contacts (form_id);
CREATE INDEX contacts_referral_source_id_idx ON contacts (referral_source_id);
CREATE INDEX contacts_user_id_contacted_on_id_idx ON contacts (user_id, contacted_on, id);

CREATE TABLE custody_statuses (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT custody_statuses_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX custody_statuses_name_key ON custody_statuses (name);

CREATE TABLE custom_choices (
  id serial,
  custom_field_id integer NOT NULL,
  label text NOT NULL,
  "position" integer NOT NULL,
  retired_from date,
  CONSTRAINT custom_choices_pkey PRIMARY KEY (id)
);
CREATE INDEX custom_choices_custom_field_id_idx ON custom_choices (custom_field_id);

CREATE TABLE custom_field_form_types (
  custom_field_id integer NOT NULL,
  form_type_id integer NOT NULL,
  CONSTRAINT custom_field_form_types_pkey PRIMARY KEY (custom_field_id, form_type_id)
);
CREATE INDEX custom_field_form_types_form_type_id_idx ON custom_field_form_types (form_type_id);

CREATE TABLE custom_fields (
  id serial,
  name text NOT NULL,
  record text NOT NULL,
  section text NOT NULL,
  label text NOT NULL,
  hint text DEFAULT '' NOT NULL,
  kind text NOT NULL,
  required_from date,
  sensitive boolean DEFAULT false NOT NULL,
  retired_from date,
  removed boolean DEFAULT false NOT NULL,
  lock_version integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT custom_fields_pkey PRIMARY KEY (id),
  CONSTRAINT custom_fields_kind_check CHECK (kind IN ('text', 'longText', 'flag', 'day', 'number', 'choice', 'choices')),
  CONSTRAINT custom_fields_record_check CHECK (record IN ('client', 'form'))
);
CREATE UNIQUE INDEX custom_fields_name_key ON custom_fields (name);

CREATE TABLE drafts (
  id serial,
  user_id integer NOT NULL,
  key text NOT NULL,
  form_id integer,
  ciphertext bytea NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  name bytea,
  page text,
  CONSTRAINT drafts_pkey PRIMARY KEY (id)
);
CREATE INDEX drafts_form_id_idx ON drafts (form_id);
CREATE INDEX drafts_updated_at_idx ON drafts (updated_at);
CREATE UNIQUE INDEX drafts_user_id_key_key ON drafts (user_id, key);

CREATE TABLE education_levels (
  id serial,
  name citext NOT NULL,
  sort_order integer NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT education_levels_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX education_levels_name_key ON education_levels (name);

CREATE TABLE ethnicities (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT ethnicities_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ethnicities_name_key ON ethnicities (name);

CREATE TABLE exit_destinations (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT exit_destinations_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX exit_destinations_name_key ON exit_destinations (name);

CREATE TABLE field_definitions (
  id integer DEFAULT 1 NOT NULL,
  version integer DEFAULT 0 NOT NULL,
  field_order text[] DEFAULT ARRAY[]::text[],
  CONSTRAINT field_definitions_pkey PRIMARY KEY (id),
  CONSTRAINT field_definitions_id_check CHECK (id = 1)
);

CREATE TABLE field_settings (
  path text NOT NULL,
  hidden boolean DEFAULT false NOT NULL,
  label text,
  hint text,
  required_from date,
  CONSTRAINT field_settings_pkey PRIMARY KEY (path)
);

CREATE TABLE form_comments (
  id serial,
  form_id integer NOT NULL,
  user_id integer,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  text text NOT NULL,
  CONSTRAINT form_comments_pkey PRIMARY KEY (id)
);
CREATE INDEX form_comments_form_id_id_idx ON form_comments (form_id, id);
CREATE INDEX form_comments_user_id_idx ON form_comments (user_id);

CREATE TABLE form_types (
  id serial,
  name citext NOT NULL,
  intake_only boolean DEFAULT false NOT NULL,
  phone boolean DEFAULT false NOT NULL,
  service_entry boolean DEFAULT false NOT NULL,
  on_call_advocacy_entry boolean DEFAULT false NOT NULL,
  phone_entry boolean DEFAULT false NOT NULL,
  legal_advocacy_entry boolean DEFAULT false NOT NULL,
  survivor_entry boolean DEFAULT false NOT NULL,
  client_biographical_entry boolean DEFAULT false NOT NULL,
  client_demographical_entry boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  sort_order integer DEFAULT 100 NOT NULL,
  former_flags text[] DEFAULT ARRAY[]::text[],
  CONSTRAINT form_types_pkey PRIMARY KEY (id),
  CONSTRAINT form_types_sort_order_check CHECK (sort_order BETWEEN 0 AND 999)
);
CREATE UNIQUE INDEX form_types_name_key ON form_types (name);

CREATE TABLE former_keys (
  secret_id bytea NOT NULL,
  wrapped bytea NOT NULL,
  CONSTRAINT former_keys_pkey PRIMARY KEY (secret_id)
);

CREATE TABLE forms (
  id serial,
  client_id integer NOT NULL,
  form_type_id integer NOT NULL,
  service_on date NOT NULL,
  service_status text NOT NULL,
  verbal_confirmation boolean NOT NULL,
  canine_id integer,
  reconciled boolean DEFAULT false NOT NULL,
  user_id integer NOT NULL,
  updated_by_id integer,
  lock_version integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  client_name text COLLATE "C" DEFAULT '' NOT NULL,
  reconciled_at timestamptz(3),
  reconciled_by_id integer,
  return_comment text DEFAULT '' NOT NULL,
  returned_at timestamptz(3),
  returned_by_id integer,
  checked_at timestamptz(3),
  answered_to_id integer,
  custom jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT forms_pkey PRIMARY KEY (id),
  CONSTRAINT forms_service_on_check CHECK (service_on >= '1900-01-01'),
  CONSTRAINT forms_service_status_check CHECK (service_status IN ('Served', 'Partially Served', 'Not Served'))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02);
CREATE INDEX forms_answered ON forms (answered_to_id) WHERE ((answered_to_id IS NOT NULL) AND (NOT reconciled));
CREATE INDEX forms_by_client ON forms (client_name, service_on, id) INCLUDE (reconciled, user_id, form_type_id, service_status, client_id);
CREATE INDEX forms_by_day ON forms (service_on, id) INCLUDE (reconciled, user_id, form_type_id, service_status, client_id, client_name);
CREATE INDEX forms_by_status ON forms (service_status, service_on, id) INCLUDE (reconciled, user_id, form_type_id, client_id, client_name);
CREATE INDEX forms_of_client ON forms (client_id, service_on, id) INCLUDE (reconciled, user_id, form_type_id, service_status, client_name);
CREATE INDEX forms_of_user ON forms (user_id, service_on, id) INCLUDE (reconciled, form_type_id, service_status, client_id, client_name);
CREATE INDEX forms_returned ON forms (user_id, returned_at) WHERE (returned_at IS NOT NULL);
CREATE INDEX forms_unreconciled_by_client ON forms (client_name, service_on, id) INCLUDE (user_id, form_type_id, service_status, client_id) WHERE (NOT reconciled);
CREATE INDEX forms_unreconciled_by_day ON forms (service_on, id) INCLUDE (user_id, form_type_id, service_status, client_id, client_name) WHERE (NOT reconciled);
CREATE INDEX forms_unreconciled_by_status ON forms (service_status, service_on, id) INCLUDE (user_id, form_type_id, client_id, client_name) WHERE (NOT reconciled);

CREATE TABLE hate_crime_categories (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT hate_crime_categories_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX hate_crime_categories_name_key ON hate_crime_categories (name);

CREATE TABLE hidden_periods (
  path text NOT NULL,
  hidden_from date NOT NULL,
  shown_from date,
  CONSTRAINT hidden_periods_pkey PRIMARY KEY (path, hidden_from)
);

CREATE TABLE hotel_shelter_entries (
  id serial,
  service_provided_entry_id integer NOT NULL,
  met_needs boolean DEFAULT false NOT NULL,
  children_under_thirteen integer DEFAULT 0 NOT NULL,
  children_thirteen_to_seventeen integer DEFAULT 0 NOT NULL,
  adults integer DEFAULT 0 NOT NULL,
  reason text DEFAULT '' NOT NULL,
  CONSTRAINT hotel_shelter_entries_pkey PRIMARY KEY (id),
  CONSTRAINT hotel_shelter_entries_check CHECK (children_under_thirteen BETWEEN 0 AND 99 AND children_thirteen_to_seventeen BETWEEN 0 AND 99 AND adults BETWEEN 0 AND 99)
);
CREATE UNIQUE INDEX hotel_shelter_entries_service_provided_entry_id_key ON hotel_shelter_entries (service_provided_entry_id);

CREATE TABLE idempotency_keys (
  id serial,
  user_id integer NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  record_id integer NOT NULL,
  entity text DEFAULT '' NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
CREATE UNIQUE INDEX idempotency_keys_user_id_key_key ON idempotency_keys (user_id, key);

CREATE TABLE import_notes (
  import_id integer NOT NULL,
  about text NOT NULL,
  number integer NOT NULL,
  sealed bytea NOT NULL,
  clients integer[] DEFAULT ARRAY[]::integer[],
  CONSTRAINT import_notes_pkey PRIMARY KEY (import_id, about, number)
);

CREATE TABLE import_parts (
  import_id integer NOT NULL,
  number integer NOT NULL,
  sealed bytea NOT NULL,
  CONSTRAINT import_parts_pkey PRIMARY KEY (import_id, number)
);

CREATE TABLE import_rows (
  kind text NOT NULL,
  key text NOT NULL,
  import_id integer NOT NULL,
  record_id integer NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  for_user_id integer,
  CONSTRAINT import_rows_pkey PRIMARY KEY (kind, key, record_id)
);
CREATE INDEX import_rows_for_user_id_idx ON import_rows (kind, key) WHERE (for_user_id IS NOT NULL);
CREATE INDEX import_rows_import_id_record_id_idx ON import_rows (import_id, record_id);

CREATE TABLE imports (
  id serial,
  kind text NOT NULL,
  format text NOT NULL,
  user_id integer,
  owner_id integer,
  matches text[] DEFAULT ARRAY[]::text[],
  bytes integer DEFAULT 0 NOT NULL,
  rows integer DEFAULT 0 NOT NULL,
  status text NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  created integer DEFAULT 0 NOT NULL,
  repeated integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  alike integer DEFAULT 0 NOT NULL,
  removed integer DEFAULT 0 NOT NULL,
  kept integer DEFAULT 0 NOT NULL,
  problem text DEFAULT '' NOT NULL,
  lease uuid,
  leased_until timestamptz(3),
  attempts integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  finished_at timestamptz(3),
  uploaded_by_id integer,
  token_id integer,
  CONSTRAINT imports_pkey PRIMARY KEY (id)
);
CREATE INDEX imports_user_id_idx ON imports (user_id);

CREATE TABLE income_and_education_entries (
  id serial,
  phone_entry_id integer NOT NULL,
  education_level_id integer,
  income_level_id integer,
  tanf boolean DEFAULT false NOT NULL,
  ssi_ssd boolean DEFAULT false NOT NULL,
  CONSTRAINT income_and_education_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX income_and_education_entries_education_level_id_idx ON income_and_education_entries (education_level_id);
CREATE INDEX income_and_education_entries_income_level_id_idx ON income_and_education_entries (income_level_id);
CREATE UNIQUE INDEX income_and_education_entries_phone_entry_id_key ON income_and_education_entries (phone_entry_id);

CREATE TABLE income_levels (
  id serial,
  name citext NOT NULL,
  range_start numeric(12,2) NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT income_levels_pkey PRIMARY KEY (id),
  CONSTRAINT income_levels_range_start_check CHECK (range_start >= 0)
);
CREATE UNIQUE INDEX income_levels_name_key ON income_levels (name);

CREATE TABLE intake_forms (
  id serial,
  form_id integer NOT NULL,
  referral_source_id integer,
  referral_source_name text DEFAULT '' NOT NULL,
  CONSTRAINT intake_forms_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX intake_forms_form_id_key ON intake_forms (form_id);
CREATE INDEX intake_forms_referral_source_id_idx ON intake_forms (referral_source_id);

CREATE TABLE legal_advocacy_entries (
  id serial,
  intake_form_id integer NOT NULL,
  evaluation_given boolean DEFAULT false NOT NULL,
  place_of_service text NOT NULL,
  place_of_service_name text DEFAULT '' NOT NULL,
  CONSTRAINT legal_advocacy_entries_pkey PRIMARY KEY (id),
  CONSTRAINT legal_advocacy_entries_place_of_service_check CHECK (place_of_service IN ('M', 'CT', 'PF'))
);
CREATE UNIQUE INDEX legal_advocacy_entries_intake_form_id_key ON legal_advocacy_entries (intake_form_id);

CREATE TABLE login_failures (
  id bigserial,
  subject text NOT NULL,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT login_failures_pkey PRIMARY KEY (id)
);
CREATE INDEX login_failures_at_idx ON login_failures (at);
CREATE INDEX login_failures_subject_at_idx ON login_failures (subject, at);

CREATE TABLE magisterial_court_outcomes (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT magisterial_court_outcomes_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX magisterial_court_outcomes_name_key ON magisterial_court_outcomes (name);

CREATE TABLE magisterial_entries (
  id serial,
  legal_advocacy_entry_id integer NOT NULL,
  magisterial_court_outcome_id integer NOT NULL,
  magisterial_court_outcome_other text DEFAULT '' NOT NULL,
  first_criminal_court boolean DEFAULT false NOT NULL,
  CONSTRAINT magisterial_entries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX magisterial_entries_legal_advocacy_entry_id_key ON magisterial_entries (legal_advocacy_entry_id);
CREATE INDEX magisterial_entries_magisterial_court_outcome_id_idx ON magisterial_entries (magisterial_court_outcome_id);

CREATE TABLE mails (
  id serial,
  token_id integer,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  last_error text DEFAULT '' NOT NULL,
  address citext,
  notice text,
  CONSTRAINT mails_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX mails_message_id_key ON mails (message_id);
CREATE INDEX mails_sent_at_failed_at_next_attempt_at_idx ON mails (sent_at, failed_at, next_attempt_at);
CREATE UNIQUE INDEX mails_token_id_key ON mails (token_id);

CREATE TABLE offender_entries (
  id serial,
  survivor_entry_id integer NOT NULL,
  name text DEFAULT '' NOT NULL,
  threatened_pet boolean DEFAULT false NOT NULL,
  harmed_pet boolean DEFAULT false NOT NULL,
  killed_pet boolean DEFAULT false NOT NULL,
  pet_description text DEFAULT '' NOT NULL,
  CONSTRAINT offender_entries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX offender_entries_survivor_entry_id_key ON offender_entries (survivor_entry_id);

CREATE TABLE offender_relationships (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT offender_relationships_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX offender_relationships_name_key ON offender_relationships (name);

CREATE TABLE on_call_advocacy_entries (
  id serial,
  intake_form_id integer NOT NULL,
  evaluation_given boolean DEFAULT false NOT NULL,
  place_of_service text NOT NULL,
  place_of_service_name text DEFAULT '' NOT NULL,
  CONSTRAINT on_call_advocacy_entries_pkey PRIMARY KEY (id),
  CONSTRAINT on_call_advocacy_entries_place_of_service_check CHECK (place_of_service IN ('Other', 'Hotel', 'Hospital', 'Police Department'))
);
CREATE UNIQUE INDEX on_call_advocacy_entries_intake_form_id_key ON on_call_advocacy_entries (intake_form_id);

CREATE TABLE permissions (
  id serial,
  name citext NOT NULL,
  CONSTRAINT permissions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX permissions_name_key ON permissions (name);

CREATE TABLE pfa_court_contact_types (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT pfa_court_contact_types_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX pfa_court_contact_types_name_key ON pfa_court_contact_types (name);

CREATE TABLE pfa_court_entries (
  id serial,
  legal_advocacy_entry_id integer NOT NULL,
  pfa_court_contact_type_id integer NOT NULL,
  pfa_granted boolean DEFAULT false NOT NULL,
  first_pfa boolean DEFAULT false NOT NULL,
  CONSTRAINT pfa_court_entries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX pfa_court_entries_legal_advocacy_entry_id_key ON pfa_court_entries (legal_advocacy_entry_id);
CREATE INDEX pfa_court_entries_pfa_court_contact_type_id_idx ON pfa_court_entries (pfa_court_contact_type_id);

CREATE TABLE phone_entries (
  id serial,
  intake_form_id integer NOT NULL,
  survivor_drugs_alcohol boolean DEFAULT false NOT NULL,
  offender_drugs_alcohol boolean DEFAULT false NOT NULL,
  survivor_mental_health boolean DEFAULT false NOT NULL,
  offender_mental_health boolean DEFAULT false NOT NULL,
  current_pfa_order text DEFAULT 'None' NOT NULL,
  previous_pfas boolean DEFAULT false NOT NULL,
  previous_pfas_description text DEFAULT '' NOT NULL,
  related_arrests boolean DEFAULT false NOT NULL,
  related_arrests_description text DEFAULT '' NOT NULL,
  guns boolean DEFAULT false NOT NULL,
  other_weapons boolean DEFAULT false NOT NULL,
  lethality_assessed boolean DEFAULT false NOT NULL,
  CONSTRAINT phone_entries_pkey PRIMARY KEY (id),
  CONSTRAINT phone_entries_current_pfa_order_check CHECK (current_pfa_order IN ('None', 'Temporary', 'Final'))
);
CREATE UNIQUE INDEX phone_entries_intake_form_id_key ON phone_entries (intake_form_id);

CREATE TABLE recovery_codes (
  user_id integer NOT NULL,
  code_hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE referral_sources (
  id serial,
  code citext NOT NULL,
  description text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT referral_sources_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX referral_sources_code_key ON referral_sources (code);

CREATE TABLE report_mappings (
  id serial,
  report text NOT NULL,
  kind text NOT NULL,
  source text NOT NULL,
  form_type_id integer,
  line text NOT NULL,
  valid_from date NOT NULL,
  valid_through date,
  CONSTRAINT report_mappings_pkey PRIMARY KEY (id)
);
CREATE INDEX report_mappings_form_type_id_idx ON report_mappings (form_type_id);
CREATE INDEX report_mappings_report_kind_idx ON report_mappings (report, kind);

CREATE TABLE report_settings (
  report text NOT NULL,
  year_start integer NOT NULL,
  lock_version integer DEFAULT 0 NOT NULL,
  due_days integer DEFAULT 30 NOT NULL,
  CONSTRAINT report_settings_pkey PRIMARY KEY (report)
);

CREATE TABLE report_submission_contacts (
  submission_id integer NOT NULL,
  line text NOT NULL,
  contact_id integer NOT NULL,
  client_id integer,
  contact_version integer NOT NULL,
  amount integer NOT NULL,
  CONSTRAINT report_submission_contacts_pkey PRIMARY KEY (submission_id, line, contact_id)
);
CREATE INDEX report_submission_contacts_client_id_idx ON report_submission_contacts (client_id);

CREATE TABLE report_submission_lines (
  submission_id integer NOT NULL,
  line text NOT NULL,
  label text NOT NULL,
  unit text NOT NULL,
  count integer NOT NULL,
  CONSTRAINT report_submission_lines_pkey PRIMARY KEY (submission_id, line)
);

CREATE TABLE report_submission_records (
  submission_id integer NOT NULL,
  line text NOT NULL,
  client_id integer NOT NULL,
  form_id integer NOT NULL,
  client_version integer NOT NULL,
  form_version integer NOT NULL,
  amount integer NOT NULL,
  stay_id integer DEFAULT 0 NOT NULL,
  stay_version integer DEFAULT 0 NOT NULL,
  CONSTRAINT report_submission_records_pkey PRIMARY KEY (submission_id, line, form_id, stay_id)
);
CREATE INDEX report_submission_records_client_id_idx ON report_submission_records (client_id);
CREATE INDEX report_submission_records_form_id_idx ON report_submission_records (form_id);
CREATE INDEX report_submission_records_stay_id_idx ON report_submission_records (stay_id);

CREATE TABLE report_submission_withheld (
  submission_id integer NOT NULL,
  line text NOT NULL,
  user_id integer NOT NULL,
  count integer NOT NULL,
  CONSTRAINT report_submission_withheld_pkey PRIMARY KEY (submission_id, line, user_id)
);
CREATE INDEX report_submission_withheld_user_id_idx ON report_submission_withheld (user_id);

CREATE TABLE report_submissions (
  id serial,
  report text NOT NULL,
  from_on date NOT NULL,
  to_on date NOT NULL,
  user_id integer,
  submitted_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT report_submissions_pkey PRIMARY KEY (id)
);
CREATE INDEX report_submissions_report_from_on_idx ON report_submissions (report, from_on);
CREATE INDEX report_submissions_user_id_idx ON report_submissions (user_id);

CREATE TABLE reset_requests (
  id serial,
  email citext NOT NULL,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT reset_requests_pkey PRIMARY KEY (id)
);

CREATE TABLE retention_settings (
  id integer DEFAULT 1 NOT NULL,
  years integer,
  nightly boolean DEFAULT false NOT NULL,
  ran_on date,
  CONSTRAINT retention_settings_pkey PRIMARY KEY (id),
  CONSTRAINT retention_settings_check CHECK ((years IS NOT NULL) OR (NOT nightly)),
  CONSTRAINT retention_settings_id_check CHECK (id = 1),
  CONSTRAINT retention_settings_years_check CHECK (years BETWEEN 1 AND 100)
);

CREATE TABLE role_permissions (
  role_id integer NOT NULL,
  permission_id integer NOT NULL,
  CONSTRAINT role_permissions_pkey PRIMARY KEY (role_id, permission_id)
);
CREATE INDEX role_permissions_permission_id_idx ON role_permissions (permission_id);

CREATE TABLE roles (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  requires_two_step boolean DEFAULT false NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX roles_name_key ON roles (name);

CREATE TABLE secondary_victimizations (
  id serial,
  name citext NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT secondary_victimizations_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX secondary_victimizations_name_key ON secondary_victimizations (name);

CREATE TABLE service_code_form_types (
  service_code_id integer NOT NULL,
  form_type_id integer NOT NULL,
  CONSTRAINT service_code_form_types_pkey PRIMARY KEY (service_code_id, form_type_id)
);
CREATE INDEX service_code_form_types_form_type_id_idx ON service_code_form_types (form_type_id);

CREATE TABLE service_codes (
  id serial,
  code citext NOT NULL,
  description text DEFAULT '' NOT NULL,
  hotel_shelter boolean DEFAULT false NOT NULL,
  videoconferencing boolean DEFAULT false NOT NULL,
  can_be_magistrate boolean DEFAULT false NOT NULL,
  on_call_main_type boolean DEFAULT false NOT NULL,
  has_referral boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  former_flags text[] DEFAULT ARRAY[]::text[],
  CONSTRAINT service_codes_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX service_codes_code_key ON service_codes (code);

CREATE TABLE service_entries (
  id serial,
  form_id integer NOT NULL,
  other_service text DEFAULT '' NOT NULL,
  other_service_minutes integer DEFAULT 0 NOT NULL,
  CONSTRAINT service_entries_pkey PRIMARY KEY (id),
  CONSTRAINT service_entries_other_service_minutes_check CHECK (other_service_minutes BETWEEN 0 AND 1440)
);
CREATE UNIQUE INDEX service_entries_form_id_key ON service_entries (form_id);

CREATE TABLE service_provided_entries (
  id serial,
  service_entry_id integer NOT NULL,
  service_code_id integer NOT NULL,
  magisterial boolean DEFAULT false NOT NULL,
  minutes integer NOT NULL,
  referrals text DEFAULT '' NOT NULL,
  CONSTRAINT service_provided_entries_pkey PRIMARY KEY (id),
  CONSTRAINT service_provided_entries_minutes_check CHECK (minutes BETWEEN 0 AND 1440)
);
CREATE INDEX service_provided_entries_service_code_id_idx ON service_provided_entries (service_code_id);
CREATE INDEX service_provided_entries_service_entry_id_idx ON service_provided_entries (service_entry_id);

CREATE TABLE service_status_entries (
  id serial,
  form_id integer NOT NULL,
  appropriate_services boolean DEFAULT false NOT NULL,
  language_capacities boolean DEFAULT false NOT NULL,
  agency_capacity boolean DEFAULT false NOT NULL,
  transportation_or_access boolean DEFAULT false NOT NULL,
  culturally_appropriate boolean DEFAULT false NOT NULL,
  disabilities boolean DEFAULT false NOT NULL,
  other boolean DEFAULT false NOT NULL,
  CONSTRAINT service_status_entries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX service_status_entries_form_id_key ON service_status_entries (form_id);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id integer NOT NULL,
  user_agent text DEFAULT '' NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_seen_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  proved_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  provider_sid text,
  single_sign_on boolean DEFAULT false NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE shelters (
  id serial,
  name citext NOT NULL,
  kind text NOT NULL,
  beds integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT shelters_pkey PRIMARY KEY (id),
  CONSTRAINT shelters_beds_check CHECK (beds BETWEEN 0 AND 999),
  CONSTRAINT shelters_kind_check CHECK (kind IN ('In-house', 'Hotel or motel', 'Safe home', 'Transitional'))
);
CREATE UNIQUE INDEX shelters_name_key ON shelters (name);

CREATE TABLE stays (
  id serial,
  client_id integer NOT NULL,
  shelter_id integer NOT NULL,
  entered_on date NOT NULL,
  left_on date,
  adults integer DEFAULT 0 NOT NULL,
  children_thirteen_to_seventeen integer DEFAULT 0 NOT NULL,
  children_under_thirteen integer DEFAULT 0 NOT NULL,
  exit_destination_id integer,
  medical_advocacy boolean DEFAULT false NOT NULL,
  overlapping boolean DEFAULT false NOT NULL,
  user_id integer NOT NULL,
  updated_by_id integer,
  lock_version integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT stays_one_at_a_time EXCLUDE USING gist (int4range(client_id, client_id, '[]'::text) WITH &&, daterange(entered_on, left_on) WITH &&) WHERE ((NOT overlapping)),
  CONSTRAINT stays_pkey PRIMARY KEY (id),
  CONSTRAINT stays_check CHECK ((entered_on >= '1900-01-01') AND (left_on >= entered_on)),
  CONSTRAINT stays_check1 CHECK (adults BETWEEN 0 AND 99 AND children_thirteen_to_seventeen BETWEEN 0 AND 99 AND children_under_thirteen BETWEEN 0 AND 99),
  CONSTRAINT stays_check2 CHECK ((left_on IS NOT NULL) OR (exit_destination_id IS NULL))
);
CREATE INDEX stays_client_id_entered_on_idx ON stays (client_id, entered_on);
CREATE INDEX stays_entered_on_id_idx ON stays (entered_on, id);
CREATE INDEX stays_exit_destination_id_idx ON stays (exit_destination_id);
CREATE INDEX stays_shelter_id_idx ON stays (shelter_id);
CREATE INDEX stays_user_id_idx ON stays (user_id);

CREATE TABLE survivor_entries (
  id serial,
  intake_form_id integer NOT NULL,
  offender_relationship_id integer NOT NULL,
  custody_status_id integer,
  hate_crime_category_id integer,
  secondary_victimization_other text DEFAULT '' NOT NULL,
  child_ages text DEFAULT '' NOT NULL,
  number_of_children integer DEFAULT 0 NOT NULL,
  brain_injury_assessed boolean DEFAULT false NOT NULL,
  CONSTRAINT survivor_entries_pkey PRIMARY KEY (id),
  CONSTRAINT survivor_entries_number_of_children_check CHECK (number_of_children BETWEEN 0 AND 99)
);
CREATE INDEX survivor_entries_custody_status_id_idx ON survivor_entries (custody_status_id);
CREATE INDEX survivor_entries_hate_crime_category_id_idx ON survivor_entries (hate_crime_category_id);
CREATE UNIQUE INDEX survivor_entries_intake_form_id_key ON survivor_entries (intake_form_id);
CREATE INDEX survivor_entries_offender_relationship_id_idx ON survivor_entries (offender_relationship_id);

CREATE TABLE survivor_entry_secondary_victimizations (
  survivor_entry_id integer NOT NULL,
  secondary_victimization_id integer NOT NULL,
  CONSTRAINT survivor_entry_secondary_victimizations_pkey PRIMARY KEY (survivor_entry_id, secondary_victimization_id)
);
CREATE INDEX survivor_entry_secondary_victimizations_secondary_victimiza_idx ON survivor_entry_secondary_victimizations (secondary_victimization_id);

CREATE TABLE tokens (
  id serial,
  user_id integer NOT NULL,
  kind text NOT NULL,
  token_hash text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT tokens_pkey PRIMARY KEY (id),
  CONSTRAINT tokens_kind_check CHECK (kind IN ('activation', 'reset'))
);
CREATE UNIQUE INDEX tokens_token_hash_key ON tokens (token_hash);
CREATE INDEX tokens_user_id_kind_idx ON tokens (user_id, kind);

CREATE TABLE two_steps (
  user_id integer NOT NULL,
  secret bytea,
  pending bytea,
  last_step integer DEFAULT 0 NOT NULL,
  pending_at timestamptz(3),
  CONSTRAINT two_steps_pkey PRIMARY KEY (user_id)
);

CREATE TABLE users (
  id serial,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email citext NOT NULL,
  password_hash text,
  role_id integer NOT NULL,
  activated_at timestamptz(3),
  last_login_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  active boolean DEFAULT true NOT NULL,
  device_generation integer DEFAULT 0 NOT NULL,
  sso_issuer text,
  sso_subject text,
  email_unproved boolean DEFAULT false NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE INDEX users_role_id_idx ON users (role_id);
CREATE UNIQUE INDEX users_sso_issuer_sso_subject_key ON users (sso_issuer, sso_subject);

CREATE TABLE videoconferencing_entries (
  id serial,
  service_provided_entry_id integer NOT NULL,
  emergency_pfa_granted boolean DEFAULT false NOT NULL,
  reason text DEFAULT '' NOT NULL,
  CONSTRAINT videoconferencing_entries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX videoconferencing_entries_service_provided_entry_id_key ON videoconferencing_entries (service_provided_entry_id);

ALTER TABLE api_tokens ADD CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE brain_injury_entries ADD CONSTRAINT brain_injury_entries_survivor_entry_id_fkey FOREIGN KEY (survivor_entry_id) REFERENCES survivor_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE client_ages ADD CONSTRAINT client_ages_age_bracket_id_fkey FOREIGN KEY (age_bracket_id) REFERENCES age_brackets(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE client_ages ADD CONSTRAINT client_ages_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE client_biographical_entries ADD CONSTRAINT client_biographical_entries_age_bracket_id_fkey FOREIGN KEY (age_bracket_id) REFERENCES age_brackets(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE client_biographical_entries ADD CONSTRAINT client_biographical_entries_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE client_demographic_entries ADD CONSTRAINT client_demographic_entries_age_bracket_id_fkey FOREIGN KEY (age_bracket_id) REFERENCES age_brackets(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE client_demographic_entries ADD CONSTRAINT client_demographic_entries_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE client_demographic_entries ADD CONSTRAINT client_demographic_entries_ethnicity_id_fkey FOREIGN KEY (ethnicity_id) REFERENCES ethnicities(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE client_holds ADD CONSTRAINT client_holds_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE client_holds ADD CONSTRAINT client_holds_held_by_id_fkey FOREIGN KEY (held_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE client_merges ADD CONSTRAINT client_merges_key_id_fkey FOREIGN KEY (key_id) REFERENCES client_keys(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE client_merges ADD CONSTRAINT client_merges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE client_restrictions ADD CONSTRAINT client_restrictions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE client_restrictions ADD CONSTRAINT client_restrictions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE clients ADD CONSTRAINT clients_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE clients ADD CONSTRAINT clients_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE contacts ADD CONSTRAINT contacts_age_bracket_id_fkey FOREIGN KEY (age_bracket_id) REFERENCES age_brackets(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE contacts ADD CONSTRAINT contacts_contact_kind_id_fkey FOREIGN KEY (contact_kind_id) REFERENCES contact_kinds(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE contacts ADD CONSTRAINT contacts_form_id_fkey FOREIGN KEY (form_id) REFERENCES forms(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE contacts ADD CONSTRAINT contacts_referral_source_id_fkey FOREIGN KEY (referral_source_id) REFERENCES referral_sources(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE contacts ADD CONSTRAINT contacts_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE contacts ADD CONSTRAINT contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE custom_choices ADD CONSTRAINT custom_choices_custom_field_id_fkey FOREIGN KEY (custom_field_id) REFERENCES custom_fields(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE custom_field_form_types ADD CONSTRAINT custom_field_form_types_custom_field_id_fkey FOREIGN KEY (custom_field_id) REFERENCES custom_fields(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE custom_field_form_types ADD CONSTRAINT custom_field_form_types_form_type_id_fkey FOREIGN KEY (form_type_id) REFERENCES form_types(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE drafts ADD CONSTRAINT drafts_form_id_fkey FOREIGN KEY (form_id) REFERENCES forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE drafts ADD CONSTRAINT drafts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE form_comments ADD CONSTRAINT form_comments_form_id_fkey FOREIGN KEY (form_id) REFERENCES forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE form_comments ADD CONSTRAINT form_comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE forms ADD CONSTRAINT forms_answered_to_id_fkey FOREIGN KEY (answered_to_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE forms ADD CONSTRAINT forms_canine_id_fkey FOREIGN KEY (canine_id) REFERENCES canines(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE forms ADD CONSTRAINT forms_client_id_client_name_fkey FOREIGN KEY (client_id, client_name) REFERENCES clients(id, name_folded) ON UPDATE CASCADE;
ALTER TABLE forms ADD CONSTRAINT forms_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE forms ADD CONSTRAINT forms_form_type_id_fkey FOREIGN KEY (form_type_id) REFERENCES form_types(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE forms ADD CONSTRAINT forms_reconciled_by_id_fkey FOREIGN KEY (reconciled_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE forms ADD CONSTRAINT forms_returned_by_id_fkey FOREIGN KEY (returned_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE forms ADD CONSTRAINT forms_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE forms ADD CONSTRAINT forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE hotel_shelter_entries ADD CONSTRAINT hotel_shelter_entries_service_provided_entry_id_fkey FOREIGN KEY (service_provided_entry_id) REFERENCES service_provided_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import_notes ADD CONSTRAINT import_notes_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import_parts ADD CONSTRAINT import_parts_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import_rows ADD CONSTRAINT import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE imports ADD CONSTRAINT imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE income_and_education_entries ADD CONSTRAINT income_and_education_entries_education_level_id_fkey FOREIGN KEY (education_level_id) REFERENCES education_levels(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE income_and_education_entries ADD CONSTRAINT income_and_education_entries_income_level_id_fkey FOREIGN KEY (income_level_id) REFERENCES income_levels(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE income_and_education_entries ADD CONSTRAINT income_and_education_entries_phone_entry_id_fkey FOREIGN KEY (phone_entry_id) REFERENCES phone_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE intake_forms ADD CONSTRAINT intake_forms_form_id_fkey FOREIGN KEY (form_id) REFERENCES forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE intake_forms ADD CONSTRAINT intake_forms_referral_source_id_fkey FOREIGN KEY (referral_source_id) REFERENCES referral_sources(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE legal_advocacy_entries ADD CONSTRAINT legal_advocacy_entries_intake_form_id_fkey FOREIGN KEY (intake_form_id) REFERENCES intake_forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE magisterial_entries ADD CONSTRAINT magisterial_entries_legal_advocacy_entry_id_fkey FOREIGN KEY (legal_advocacy_entry_id) REFERENCES legal_advocacy_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE magisterial_entries ADD CONSTRAINT magisterial_entries_magisterial_court_outcome_id_fkey FOREIGN KEY (magisterial_court_outcome_id) REFERENCES magisterial_court_outcomes(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE mails ADD CONSTRAINT mails_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE offender_entries ADD CONSTRAINT offender_entries_survivor_entry_id_fkey FOREIGN KEY (survivor_entry_id) REFERENCES survivor_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE on_call_advocacy_entries ADD CONSTRAINT on_call_advocacy_entries_intake_form_id_fkey FOREIGN KEY (intake_form_id) REFERENCES intake_forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE pfa_court_entries ADD CONSTRAINT pfa_court_entries_legal_advocacy_entry_id_fkey FOREIGN KEY (legal_advocacy_entry_id) REFERENCES legal_advocacy_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE pfa_court_entries ADD CONSTRAINT pfa_court_entries_pfa_court_contact_type_id_fkey FOREIGN KEY (pfa_court_contact_type_id) REFERENCES pfa_court_contact_types(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE phone_entries ADD CONSTRAINT phone_entries_intake_form_id_fkey FOREIGN KEY (intake_form_id) REFERENCES intake_forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_mappings ADD CONSTRAINT report_mappings_form_type_id_fkey FOREIGN KEY (form_type_id) REFERENCES form_types(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE report_submission_contacts ADD CONSTRAINT report_submission_contacts_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES report_submissions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_submission_lines ADD CONSTRAINT report_submission_lines_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES report_submissions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_submission_records ADD CONSTRAINT report_submission_records_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES report_submissions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_submission_withheld ADD CONSTRAINT report_submission_withheld_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES report_submissions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_submission_withheld ADD CONSTRAINT report_submission_withheld_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE report_submissions ADD CONSTRAINT report_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE role_permissions ADD CONSTRAINT role_permissions_permission_id_fkey FOREIGN KEY (permission_id) REFERENCES permissions(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE role_permissions ADD CONSTRAINT role_permissions_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE service_code_form_types ADD CONSTRAINT service_code_form_types_form_type_id_fkey FOREIGN KEY (form_type_id) REFERENCES form_types(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE service_code_form_types ADD CONSTRAINT service_code_form_types_service_code_id_fkey FOREIGN KEY (service_code_id) REFERENCES service_codes(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE service_entries ADD CONSTRAINT service_entries_form_id_fkey FOREIGN KEY (form_id) REFERENCES forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE service_provided_entries ADD CONSTRAINT service_provided_entries_service_code_id_fkey FOREIGN KEY (service_code_id) REFERENCES service_codes(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE service_provided_entries ADD CONSTRAINT service_provided_entries_service_entry_id_fkey FOREIGN KEY (service_entry_id) REFERENCES service_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE service_status_entries ADD CONSTRAINT service_status_entries_form_id_fkey FOREIGN KEY (form_id) REFERENCES forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE stays ADD CONSTRAINT stays_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE stays ADD CONSTRAINT stays_exit_destination_id_fkey FOREIGN KEY (exit_destination_id) REFERENCES exit_destinations(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE stays ADD CONSTRAINT stays_shelter_id_fkey FOREIGN KEY (shelter_id) REFERENCES shelters(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE stays ADD CONSTRAINT stays_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE stays ADD CONSTRAINT stays_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE survivor_entries ADD CONSTRAINT survivor_entries_custody_status_id_fkey FOREIGN KEY (custody_status_id) REFERENCES custody_statuses(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE survivor_entries ADD CONSTRAINT survivor_entries_hate_crime_category_id_fkey FOREIGN KEY (hate_crime_category_id) REFERENCES hate_crime_categories(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE survivor_entries ADD CONSTRAINT survivor_entries_intake_form_id_fkey FOREIGN KEY (intake_form_id) REFERENCES intake_forms(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE survivor_entries ADD CONSTRAINT survivor_entries_offender_relationship_id_fkey FOREIGN KEY (offender_relationship_id) REFERENCES offender_relationships(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE survivor_entry_secondary_victimizations ADD CONSTRAINT survivor_entry_secondary_victimizations_secondary_victimiz_fkey FOREIGN KEY (secondary_victimization_id) REFERENCES secondary_victimizations(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE survivor_entry_secondary_victimizations ADD CONSTRAINT survivor_entry_secondary_victimizations_survivor_entry_id_fkey FOREIGN KEY (survivor_entry_id) REFERENCES survivor_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tokens ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE two_steps ADD CONSTRAINT two_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE users ADD CONSTRAINT users_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE videoconferencing_entries ADD CONSTRAINT videoconferencing_entries_service_provided_entry_id_fkey FOREIGN KEY (service_provided_entry_id) REFERENCES service_provided_entries(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE client_holds ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE drafts ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE form_comments ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE idempotency_keys ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE idempotency_keys ALTER COLUMN body_hash SET STATISTICS 0;

-- A form that is saved while its client is being purged waits, and is then refused. Restored forms are older.
CREATE FUNCTION copy_client_name() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  client record;
BEGIN
  SELECT name_folded, purged INTO client FROM clients WHERE id = NEW.client_id FOR KEY SHARE;
  IF client.purged AND (TG_OP = 'INSERT' AND NEW.created_at > now() - interval '1 second'
      OR TG_OP = 'UPDATE' AND NEW.client_id <> OLD.client_id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'The client was purged';
  END IF;
  NEW.client_name := coalesce(client.name_folded, '');
  RETURN NEW;
END $$;

CREATE TRIGGER forms_client_name BEFORE INSERT OR UPDATE OF client_id ON forms FOR EACH ROW
  EXECUTE FUNCTION copy_client_name();

-- Creates the missing partitions of the months from `since` to two years after now, in UTC. Rows that are in the default
-- partition meanwhile move into them.
CREATE FUNCTION make_audit_months(since timestamptz) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  month timestamptz;
  part text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', since), date_trunc('month', now()) + interval '24 months', interval '1 month') LOOP
    part := 'audit_events_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass('public.' || part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE audit_events INCLUDING DEFAULTS)', part);
    EXECUTE format(
      'WITH moved AS (DELETE FROM audit_events_default WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      month, month + interval '1 month', part);
    EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      part, month, month + interval '1 month');
  END LOOP;
END $$;

SELECT make_audit_months(now());

-- Drops a month of the audit trail, and records that. Refuses a month that must be kept or is not sealed. It runs with its
-- owner's rights, because the program's role may not drop tables.
CREATE FUNCTION drop_audit_month(month date, user_id int, user_name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  first timestamptz := date_trunc('month', month);
  part text := 'audit_events_' || to_char(month, 'YYYY_MM');
  newest bigint;
BEGIN
  IF to_regclass('public.' || part) IS NULL THEN
    RAISE EXCEPTION 'There is no month % in the audit trail', to_char(month, 'YYYY-MM');
  END IF;
  IF first + interval '1 month' + make_interval(months => (SELECT max(months) FROM audit_retention)) > now() THEN
    RAISE EXCEPTION 'The month % is still to be kept', to_char(month, 'YYYY-MM');
  END IF;
  EXECUTE format('SELECT max("position") FROM %I', part) INTO newest;
  IF newest >= coalesce((SELECT max("position") FROM audit_seals), 0) THEN
    RAISE EXCEPTION 'The month % is not sealed yet', to_char(month, 'YYYY-MM');
  END IF;
  EXECUTE format('DROP TABLE %I', part);
  INSERT INTO audit_events (user_id, user_name, action, entity, entity_id)
    VALUES (user_id, user_name, 'purged', 'auditMonth', to_char(month, 'YYYYMM')::int);
END $$;

REVOKE EXECUTE ON FUNCTION drop_audit_month(date, int, text) FROM PUBLIC;

INSERT INTO closed_periods (id) VALUES (1);
INSERT INTO audit_retention VALUES (84);
INSERT INTO retention_settings (id) VALUES (1);
INSERT INTO field_definitions (id) VALUES (1);
