-- citext: names, codes and emails are unique without regard to case. pg_trgm: "contains" searches by index.
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "age_brackets" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "range_start" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "age_brackets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "canines" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "canines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "custody_statuses" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custody_statuses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "education_levels" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "sort_order" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "education_levels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ethnicities" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ethnicities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hate_crime_categories" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hate_crime_categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "income_levels" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "range_start" DECIMAL(12,2) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "income_levels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "magisterial_court_outcomes" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "magisterial_court_outcomes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offender_relationships" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "offender_relationships_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pfa_court_contact_types" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pfa_court_contact_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secondary_victimizations" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secondary_victimizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "referral_sources" (
    "id" SERIAL NOT NULL,
    "code" CITEXT NOT NULL,
    "description" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "referral_sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "form_types" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "intake_only" BOOLEAN NOT NULL DEFAULT false,
    "phone" BOOLEAN NOT NULL DEFAULT false,
    "service_entry" BOOLEAN NOT NULL DEFAULT false,
    "on_call_advocacy_entry" BOOLEAN NOT NULL DEFAULT false,
    "phone_entry" BOOLEAN NOT NULL DEFAULT false,
    "legal_advocacy_entry" BOOLEAN NOT NULL DEFAULT false,
    "survivor_entry" BOOLEAN NOT NULL DEFAULT false,
    "client_biographical_entry" BOOLEAN NOT NULL DEFAULT false,
    "client_demographical_entry" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_codes" (
    "id" SERIAL NOT NULL,
    "code" CITEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "hotel_shelter" BOOLEAN NOT NULL DEFAULT false,
    "videoconferencing" BOOLEAN NOT NULL DEFAULT false,
    "can_be_magistrate" BOOLEAN NOT NULL DEFAULT false,
    "on_call_main_type" BOOLEAN NOT NULL DEFAULT false,
    "has_referral" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_code_form_types" (
    "service_code_id" INTEGER NOT NULL,
    "form_type_id" INTEGER NOT NULL,

    CONSTRAINT "service_code_form_types_pkey" PRIMARY KEY ("service_code_id","form_type_id")
);

-- CreateTable
CREATE TABLE "permissions" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,

    CONSTRAINT "permissions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "roles" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "role_permissions" (
    "role_id" INTEGER NOT NULL,
    "permission_id" INTEGER NOT NULL,

    CONSTRAINT "role_permissions_pkey" PRIMARY KEY ("role_id","permission_id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" CITEXT NOT NULL,
    "password_hash" TEXT,
    "role_id" INTEGER NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "last_login_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokens" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_failures" (
    "id" BIGSERIAL NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_failures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER,
    "user_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" INTEGER,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clients" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "significant_other" BOOLEAN NOT NULL DEFAULT false,
    "relationship_to_survivor" TEXT NOT NULL DEFAULT '',
    "verbal_confirmation" BOOLEAN NOT NULL DEFAULT false,
    "created_on" DATE NOT NULL,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_biographical_entries" (
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "age_bracket_id" INTEGER,
    "fictitious_name" BOOLEAN NOT NULL DEFAULT false,
    "address" TEXT NOT NULL DEFAULT '',
    "address2" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "postal_code" TEXT NOT NULL DEFAULT '',
    "phone_number" TEXT NOT NULL DEFAULT '',
    "safe_to_call" BOOLEAN NOT NULL DEFAULT false,
    "date_of_birth" DATE,

    CONSTRAINT "client_biographical_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_demographic_entries" (
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "age_bracket_id" INTEGER,
    "ethnicity_id" INTEGER,
    "ethnicity_other" TEXT NOT NULL DEFAULT '',
    "gender" TEXT NOT NULL DEFAULT 'Unknown',
    "lgbt" BOOLEAN NOT NULL DEFAULT false,
    "elderly" BOOLEAN NOT NULL DEFAULT false,
    "remote_area" BOOLEAN NOT NULL DEFAULT false,
    "limited_english" BOOLEAN NOT NULL DEFAULT false,
    "immigrant" BOOLEAN NOT NULL DEFAULT false,
    "homeless" BOOLEAN NOT NULL DEFAULT false,
    "military" BOOLEAN NOT NULL DEFAULT false,
    "disability" BOOLEAN NOT NULL DEFAULT false,
    "disability_physical" BOOLEAN NOT NULL DEFAULT false,
    "disability_cognitive" BOOLEAN NOT NULL DEFAULT false,
    "disability_mental" BOOLEAN NOT NULL DEFAULT false,
    "disability_deaf" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "client_demographic_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forms" (
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "form_type_id" INTEGER NOT NULL,
    "service_on" DATE NOT NULL,
    "service_status" TEXT NOT NULL,
    "verbal_confirmation" BOOLEAN NOT NULL,
    "canine_id" INTEGER,
    "reconciled" BOOLEAN NOT NULL DEFAULT false,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "forms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "intake_forms" (
    "id" SERIAL NOT NULL,
    "form_id" INTEGER NOT NULL,
    "referral_source_id" INTEGER,
    "referral_source_name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "intake_forms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "phone_entries" (
    "id" SERIAL NOT NULL,
    "intake_form_id" INTEGER NOT NULL,
    "survivor_drugs_alcohol" BOOLEAN NOT NULL DEFAULT false,
    "offender_drugs_alcohol" BOOLEAN NOT NULL DEFAULT false,
    "survivor_mental_health" BOOLEAN NOT NULL DEFAULT false,
    "offender_mental_health" BOOLEAN NOT NULL DEFAULT false,
    "current_pfa_order" TEXT NOT NULL DEFAULT 'None',
    "previous_pfas" BOOLEAN NOT NULL DEFAULT false,
    "previous_pfas_description" TEXT NOT NULL DEFAULT '',
    "related_arrests" BOOLEAN NOT NULL DEFAULT false,
    "related_arrests_description" TEXT NOT NULL DEFAULT '',
    "guns" BOOLEAN NOT NULL DEFAULT false,
    "other_weapons" BOOLEAN NOT NULL DEFAULT false,
    "lethality_assessed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "phone_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "income_and_education_entries" (
    "id" SERIAL NOT NULL,
    "phone_entry_id" INTEGER NOT NULL,
    "education_level_id" INTEGER,
    "income_level_id" INTEGER,
    "tanf" BOOLEAN NOT NULL DEFAULT false,
    "ssi_ssd" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "income_and_education_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "on_call_advocacy_entries" (
    "id" SERIAL NOT NULL,
    "intake_form_id" INTEGER NOT NULL,
    "evaluation_given" BOOLEAN NOT NULL DEFAULT false,
    "place_of_service" TEXT NOT NULL,
    "place_of_service_name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "on_call_advocacy_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "legal_advocacy_entries" (
    "id" SERIAL NOT NULL,
    "intake_form_id" INTEGER NOT NULL,
    "evaluation_given" BOOLEAN NOT NULL DEFAULT false,
    "place_of_service" TEXT NOT NULL,
    "place_of_service_name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "legal_advocacy_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pfa_court_entries" (
    "id" SERIAL NOT NULL,
    "legal_advocacy_entry_id" INTEGER NOT NULL,
    "pfa_court_contact_type_id" INTEGER NOT NULL,
    "pfa_granted" BOOLEAN NOT NULL DEFAULT false,
    "first_pfa" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "pfa_court_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "magisterial_entries" (
    "id" SERIAL NOT NULL,
    "legal_advocacy_entry_id" INTEGER NOT NULL,
    "magisterial_court_outcome_id" INTEGER NOT NULL,
    "magisterial_court_outcome_other" TEXT NOT NULL DEFAULT '',
    "first_criminal_court" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "magisterial_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "survivor_entries" (
    "id" SERIAL NOT NULL,
    "intake_form_id" INTEGER NOT NULL,
    "offender_relationship_id" INTEGER NOT NULL,
    "custody_status_id" INTEGER,
    "hate_crime_category_id" INTEGER,
    "secondary_victimization_other" TEXT NOT NULL DEFAULT '',
    "child_ages" TEXT NOT NULL DEFAULT '',
    "number_of_children" INTEGER NOT NULL DEFAULT 0,
    "brain_injury_assessed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "survivor_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "survivor_entry_secondary_victimizations" (
    "survivor_entry_id" INTEGER NOT NULL,
    "secondary_victimization_id" INTEGER NOT NULL,

    CONSTRAINT "survivor_entry_secondary_victimizations_pkey" PRIMARY KEY ("survivor_entry_id","secondary_victimization_id")
);

-- CreateTable
CREATE TABLE "brain_injury_entries" (
    "id" SERIAL NOT NULL,
    "survivor_entry_id" INTEGER NOT NULL,
    "injured_head" BOOLEAN NOT NULL DEFAULT false,
    "emergency_visit" BOOLEAN NOT NULL DEFAULT false,
    "emergency_visit_on" DATE,
    "lost_consciousness" BOOLEAN NOT NULL DEFAULT false,
    "physical_symptoms" BOOLEAN NOT NULL DEFAULT false,
    "sensory_changes" BOOLEAN NOT NULL DEFAULT false,
    "psychological_changes" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "brain_injury_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offender_entries" (
    "id" SERIAL NOT NULL,
    "survivor_entry_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "threatened_pet" BOOLEAN NOT NULL DEFAULT false,
    "harmed_pet" BOOLEAN NOT NULL DEFAULT false,
    "killed_pet" BOOLEAN NOT NULL DEFAULT false,
    "pet_description" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "offender_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_entries" (
    "id" SERIAL NOT NULL,
    "form_id" INTEGER NOT NULL,
    "other_service" TEXT NOT NULL DEFAULT '',
    "other_service_minutes" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "service_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_provided_entries" (
    "id" SERIAL NOT NULL,
    "service_entry_id" INTEGER NOT NULL,
    "service_code_id" INTEGER NOT NULL,
    "magisterial" BOOLEAN NOT NULL DEFAULT false,
    "minutes" INTEGER NOT NULL,
    "referrals" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "service_provided_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "videoconferencing_entries" (
    "id" SERIAL NOT NULL,
    "service_provided_entry_id" INTEGER NOT NULL,
    "emergency_pfa_granted" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "videoconferencing_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hotel_shelter_entries" (
    "id" SERIAL NOT NULL,
    "service_provided_entry_id" INTEGER NOT NULL,
    "met_needs" BOOLEAN NOT NULL DEFAULT false,
    "children_under_thirteen" INTEGER NOT NULL DEFAULT 0,
    "children_thirteen_to_seventeen" INTEGER NOT NULL DEFAULT 0,
    "adults" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "hotel_shelter_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_status_entries" (
    "id" SERIAL NOT NULL,
    "form_id" INTEGER NOT NULL,
    "appropriate_services" BOOLEAN NOT NULL DEFAULT false,
    "language_capacities" BOOLEAN NOT NULL DEFAULT false,
    "agency_capacity" BOOLEAN NOT NULL DEFAULT false,
    "transportation_or_access" BOOLEAN NOT NULL DEFAULT false,
    "culturally_appropriate" BOOLEAN NOT NULL DEFAULT false,
    "disabilities" BOOLEAN NOT NULL DEFAULT false,
    "other" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "service_status_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "age_brackets_name_key" ON "age_brackets"("name");

-- CreateIndex
CREATE UNIQUE INDEX "canines_name_key" ON "canines"("name");

-- CreateIndex
CREATE UNIQUE INDEX "custody_statuses_name_key" ON "custody_statuses"("name");

-- CreateIndex
CREATE UNIQUE INDEX "education_levels_name_key" ON "education_levels"("name");

-- CreateIndex
CREATE UNIQUE INDEX "ethnicities_name_key" ON "ethnicities"("name");

-- CreateIndex
CREATE UNIQUE INDEX "hate_crime_categories_name_key" ON "hate_crime_categories"("name");

-- CreateIndex
CREATE UNIQUE INDEX "income_levels_name_key" ON "income_levels"("name");

-- CreateIndex
CREATE UNIQUE INDEX "magisterial_court_outcomes_name_key" ON "magisterial_court_outcomes"("name");

-- CreateIndex
CREATE UNIQUE INDEX "offender_relationships_name_key" ON "offender_relationships"("name");

-- CreateIndex
CREATE UNIQUE INDEX "pfa_court_contact_types_name_key" ON "pfa_court_contact_types"("name");

-- CreateIndex
CREATE UNIQUE INDEX "secondary_victimizations_name_key" ON "secondary_victimizations"("name");

-- CreateIndex
CREATE UNIQUE INDEX "referral_sources_code_key" ON "referral_sources"("code");

-- CreateIndex
CREATE UNIQUE INDEX "form_types_name_key" ON "form_types"("name");

-- CreateIndex
CREATE UNIQUE INDEX "service_codes_code_key" ON "service_codes"("code");

-- CreateIndex
CREATE INDEX "service_code_form_types_form_type_id_idx" ON "service_code_form_types"("form_type_id");

-- CreateIndex
CREATE UNIQUE INDEX "permissions_name_key" ON "permissions"("name");

-- CreateIndex
CREATE UNIQUE INDEX "roles_name_key" ON "roles"("name");

-- CreateIndex
CREATE INDEX "role_permissions_permission_id_idx" ON "role_permissions"("permission_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_role_id_idx" ON "users"("role_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "tokens_token_hash_key" ON "tokens"("token_hash");

-- CreateIndex
CREATE INDEX "tokens_user_id_kind_idx" ON "tokens"("user_id", "kind");

-- CreateIndex
CREATE INDEX "login_failures_subject_at_idx" ON "login_failures"("subject", "at");

-- CreateIndex
CREATE INDEX "login_failures_at_idx" ON "login_failures"("at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_keys_user_id_key_key" ON "idempotency_keys"("user_id", "key");

-- CreateIndex
CREATE INDEX "audit_events_entity_entity_id_at_idx" ON "audit_events"("entity", "entity_id", "at");

-- CreateIndex
CREATE INDEX "audit_events_user_id_at_idx" ON "audit_events"("user_id", "at");

-- CreateIndex
CREATE INDEX "clients_created_on_id_idx" ON "clients"("created_on", "id");

-- CreateIndex
CREATE INDEX "clients_user_id_idx" ON "clients"("user_id");

-- CreateIndex
CREATE INDEX "clients_updated_by_id_idx" ON "clients"("updated_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "client_biographical_entries_client_id_key" ON "client_biographical_entries"("client_id");

-- CreateIndex
CREATE INDEX "client_biographical_entries_age_bracket_id_idx" ON "client_biographical_entries"("age_bracket_id");

-- CreateIndex
CREATE UNIQUE INDEX "client_demographic_entries_client_id_key" ON "client_demographic_entries"("client_id");

-- CreateIndex
CREATE INDEX "client_demographic_entries_age_bracket_id_idx" ON "client_demographic_entries"("age_bracket_id");

-- CreateIndex
CREATE INDEX "client_demographic_entries_ethnicity_id_idx" ON "client_demographic_entries"("ethnicity_id");

-- CreateIndex
CREATE INDEX "forms_reconciled_service_on_id_idx" ON "forms"("reconciled", "service_on", "id");

-- CreateIndex
CREATE INDEX "forms_user_id_reconciled_service_on_id_idx" ON "forms"("user_id", "reconciled", "service_on", "id");

-- CreateIndex
CREATE INDEX "forms_client_id_idx" ON "forms"("client_id");

-- CreateIndex
CREATE INDEX "forms_form_type_id_idx" ON "forms"("form_type_id");

-- CreateIndex
CREATE INDEX "forms_canine_id_idx" ON "forms"("canine_id");

-- CreateIndex
CREATE INDEX "forms_updated_by_id_idx" ON "forms"("updated_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "intake_forms_form_id_key" ON "intake_forms"("form_id");

-- CreateIndex
CREATE INDEX "intake_forms_referral_source_id_idx" ON "intake_forms"("referral_source_id");

-- CreateIndex
CREATE UNIQUE INDEX "phone_entries_intake_form_id_key" ON "phone_entries"("intake_form_id");

-- CreateIndex
CREATE UNIQUE INDEX "income_and_education_entries_phone_entry_id_key" ON "income_and_education_entries"("phone_entry_id");

-- CreateIndex
CREATE INDEX "income_and_education_entries_education_level_id_idx" ON "income_and_education_entries"("education_level_id");

-- CreateIndex
CREATE INDEX "income_and_education_entries_income_level_id_idx" ON "income_and_education_entries"("income_level_id");

-- CreateIndex
CREATE UNIQUE INDEX "on_call_advocacy_entries_intake_form_id_key" ON "on_call_advocacy_entries"("intake_form_id");

-- CreateIndex
CREATE UNIQUE INDEX "legal_advocacy_entries_intake_form_id_key" ON "legal_advocacy_entries"("intake_form_id");

-- CreateIndex
CREATE UNIQUE INDEX "pfa_court_entries_legal_advocacy_entry_id_key" ON "pfa_court_entries"("legal_advocacy_entry_id");

-- CreateIndex
CREATE INDEX "pfa_court_entries_pfa_court_contact_type_id_idx" ON "pfa_court_entries"("pfa_court_contact_type_id");

-- CreateIndex
CREATE UNIQUE INDEX "magisterial_entries_legal_advocacy_entry_id_key" ON "magisterial_entries"("legal_advocacy_entry_id");

-- CreateIndex
CREATE INDEX "magisterial_entries_magisterial_court_outcome_id_idx" ON "magisterial_entries"("magisterial_court_outcome_id");

-- CreateIndex
CREATE UNIQUE INDEX "survivor_entries_intake_form_id_key" ON "survivor_entries"("intake_form_id");

-- CreateIndex
CREATE INDEX "survivor_entries_offender_relationship_id_idx" ON "survivor_entries"("offender_relationship_id");

-- CreateIndex
CREATE INDEX "survivor_entries_custody_status_id_idx" ON "survivor_entries"("custody_status_id");

-- CreateIndex
CREATE INDEX "survivor_entries_hate_crime_category_id_idx" ON "survivor_entries"("hate_crime_category_id");

-- CreateIndex
CREATE INDEX "survivor_entry_secondary_victimizations_secondary_victimiza_idx" ON "survivor_entry_secondary_victimizations"("secondary_victimization_id");

-- CreateIndex
CREATE UNIQUE INDEX "brain_injury_entries_survivor_entry_id_key" ON "brain_injury_entries"("survivor_entry_id");

-- CreateIndex
CREATE UNIQUE INDEX "offender_entries_survivor_entry_id_key" ON "offender_entries"("survivor_entry_id");

-- CreateIndex
CREATE UNIQUE INDEX "service_entries_form_id_key" ON "service_entries"("form_id");

-- CreateIndex
CREATE INDEX "service_provided_entries_service_entry_id_idx" ON "service_provided_entries"("service_entry_id");

-- CreateIndex
CREATE INDEX "service_provided_entries_service_code_id_idx" ON "service_provided_entries"("service_code_id");

-- CreateIndex
CREATE UNIQUE INDEX "videoconferencing_entries_service_provided_entry_id_key" ON "videoconferencing_entries"("service_provided_entry_id");

-- CreateIndex
CREATE UNIQUE INDEX "hotel_shelter_entries_service_provided_entry_id_key" ON "hotel_shelter_entries"("service_provided_entry_id");

-- CreateIndex
CREATE UNIQUE INDEX "service_status_entries_form_id_key" ON "service_status_entries"("form_id");

-- AddForeignKey
ALTER TABLE "service_code_form_types" ADD CONSTRAINT "service_code_form_types_service_code_id_fkey" FOREIGN KEY ("service_code_id") REFERENCES "service_codes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_code_form_types" ADD CONSTRAINT "service_code_form_types_form_type_id_fkey" FOREIGN KEY ("form_type_id") REFERENCES "form_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "roles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_permission_id_fkey" FOREIGN KEY ("permission_id") REFERENCES "permissions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "roles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_biographical_entries" ADD CONSTRAINT "client_biographical_entries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_biographical_entries" ADD CONSTRAINT "client_biographical_entries_age_bracket_id_fkey" FOREIGN KEY ("age_bracket_id") REFERENCES "age_brackets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_demographic_entries" ADD CONSTRAINT "client_demographic_entries_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_demographic_entries" ADD CONSTRAINT "client_demographic_entries_age_bracket_id_fkey" FOREIGN KEY ("age_bracket_id") REFERENCES "age_brackets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_demographic_entries" ADD CONSTRAINT "client_demographic_entries_ethnicity_id_fkey" FOREIGN KEY ("ethnicity_id") REFERENCES "ethnicities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_form_type_id_fkey" FOREIGN KEY ("form_type_id") REFERENCES "form_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_canine_id_fkey" FOREIGN KEY ("canine_id") REFERENCES "canines"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intake_forms" ADD CONSTRAINT "intake_forms_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intake_forms" ADD CONSTRAINT "intake_forms_referral_source_id_fkey" FOREIGN KEY ("referral_source_id") REFERENCES "referral_sources"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phone_entries" ADD CONSTRAINT "phone_entries_intake_form_id_fkey" FOREIGN KEY ("intake_form_id") REFERENCES "intake_forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "income_and_education_entries" ADD CONSTRAINT "income_and_education_entries_phone_entry_id_fkey" FOREIGN KEY ("phone_entry_id") REFERENCES "phone_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "income_and_education_entries" ADD CONSTRAINT "income_and_education_entries_education_level_id_fkey" FOREIGN KEY ("education_level_id") REFERENCES "education_levels"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "income_and_education_entries" ADD CONSTRAINT "income_and_education_entries_income_level_id_fkey" FOREIGN KEY ("income_level_id") REFERENCES "income_levels"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "on_call_advocacy_entries" ADD CONSTRAINT "on_call_advocacy_entries_intake_form_id_fkey" FOREIGN KEY ("intake_form_id") REFERENCES "intake_forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "legal_advocacy_entries" ADD CONSTRAINT "legal_advocacy_entries_intake_form_id_fkey" FOREIGN KEY ("intake_form_id") REFERENCES "intake_forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pfa_court_entries" ADD CONSTRAINT "pfa_court_entries_legal_advocacy_entry_id_fkey" FOREIGN KEY ("legal_advocacy_entry_id") REFERENCES "legal_advocacy_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pfa_court_entries" ADD CONSTRAINT "pfa_court_entries_pfa_court_contact_type_id_fkey" FOREIGN KEY ("pfa_court_contact_type_id") REFERENCES "pfa_court_contact_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "magisterial_entries" ADD CONSTRAINT "magisterial_entries_legal_advocacy_entry_id_fkey" FOREIGN KEY ("legal_advocacy_entry_id") REFERENCES "legal_advocacy_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "magisterial_entries" ADD CONSTRAINT "magisterial_entries_magisterial_court_outcome_id_fkey" FOREIGN KEY ("magisterial_court_outcome_id") REFERENCES "magisterial_court_outcomes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survivor_entries" ADD CONSTRAINT "survivor_entries_intake_form_id_fkey" FOREIGN KEY ("intake_form_id") REFERENCES "intake_forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survivor_entries" ADD CONSTRAINT "survivor_entries_offender_relationship_id_fkey" FOREIGN KEY ("offender_relationship_id") REFERENCES "offender_relationships"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survivor_entries" ADD CONSTRAINT "survivor_entries_custody_status_id_fkey" FOREIGN KEY ("custody_status_id") REFERENCES "custody_statuses"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survivor_entries" ADD CONSTRAINT "survivor_entries_hate_crime_category_id_fkey" FOREIGN KEY ("hate_crime_category_id") REFERENCES "hate_crime_categories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survivor_entry_secondary_victimizations" ADD CONSTRAINT "survivor_entry_secondary_victimizations_survivor_entry_id_fkey" FOREIGN KEY ("survivor_entry_id") REFERENCES "survivor_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survivor_entry_secondary_victimizations" ADD CONSTRAINT "survivor_entry_secondary_victimizations_secondary_victimiz_fkey" FOREIGN KEY ("secondary_victimization_id") REFERENCES "secondary_victimizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "brain_injury_entries" ADD CONSTRAINT "brain_injury_entries_survivor_entry_id_fkey" FOREIGN KEY ("survivor_entry_id") REFERENCES "survivor_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offender_entries" ADD CONSTRAINT "offender_entries_survivor_entry_id_fkey" FOREIGN KEY ("survivor_entry_id") REFERENCES "survivor_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_entries" ADD CONSTRAINT "service_entries_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_provided_entries" ADD CONSTRAINT "service_provided_entries_service_entry_id_fkey" FOREIGN KEY ("service_entry_id") REFERENCES "service_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_provided_entries" ADD CONSTRAINT "service_provided_entries_service_code_id_fkey" FOREIGN KEY ("service_code_id") REFERENCES "service_codes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "videoconferencing_entries" ADD CONSTRAINT "videoconferencing_entries_service_provided_entry_id_fkey" FOREIGN KEY ("service_provided_entry_id") REFERENCES "service_provided_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hotel_shelter_entries" ADD CONSTRAINT "hotel_shelter_entries_service_provided_entry_id_fkey" FOREIGN KEY ("service_provided_entry_id") REFERENCES "service_provided_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_status_entries" ADD CONSTRAINT "service_status_entries_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma cannot say.
ALTER TABLE age_brackets ADD CHECK (range_start >= 0);
ALTER TABLE income_levels ADD CHECK (range_start >= 0);
ALTER TABLE client_demographic_entries ADD CHECK (gender IN ('Unknown', 'Male', 'Female', 'Transgender', 'Other'));
ALTER TABLE client_biographical_entries ADD CHECK (date_of_birth >= DATE '1900-01-01');
ALTER TABLE forms ADD CHECK (service_status IN ('Served', 'Partially Served', 'Not Served'));
ALTER TABLE forms ADD CHECK (service_on >= DATE '1900-01-01');
ALTER TABLE phone_entries ADD CHECK (current_pfa_order IN ('None', 'Temporary', 'Final'));
ALTER TABLE on_call_advocacy_entries ADD CHECK (place_of_service IN ('Other', 'Hotel', 'Hospital', 'Police Department'));
ALTER TABLE legal_advocacy_entries ADD CHECK (place_of_service IN ('M', 'CT', 'PF'));
ALTER TABLE survivor_entries ADD CHECK (number_of_children BETWEEN 0 AND 99);
ALTER TABLE service_entries ADD CHECK (other_service_minutes BETWEEN 0 AND 1440);
ALTER TABLE service_provided_entries ADD CHECK (minutes BETWEEN 0 AND 1440);
ALTER TABLE hotel_shelter_entries ADD CHECK (
  children_under_thirteen BETWEEN 0 AND 99 AND children_thirteen_to_seventeen BETWEEN 0 AND 99 AND adults BETWEEN 0 AND 99
);
ALTER TABLE tokens ADD CHECK (kind IN ('activation', 'reset'));

CREATE INDEX clients_name_trgm ON clients USING gin (name gin_trgm_ops);
CREATE INDEX clients_name_sort ON clients (lower(name), id);
