-- CreateTable
CREATE TABLE "contact_kinds" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "counts_as_hotline" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_kinds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "id" SERIAL NOT NULL,
    "contacted_on" DATE NOT NULL,
    "contact_kind_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL DEFAULT 1,
    "minutes" INTEGER NOT NULL DEFAULT 0,
    "age_bracket_id" INTEGER,
    "gender" TEXT NOT NULL DEFAULT 'Unknown',
    "referral_source_id" INTEGER,
    "shelter_requested" BOOLEAN NOT NULL DEFAULT false,
    "adults" INTEGER NOT NULL DEFAULT 0,
    "children" INTEGER NOT NULL DEFAULT 0,
    "turned_away_reason" TEXT NOT NULL DEFAULT '',
    "form_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "report_submission_contacts" (
    "submission_id" INTEGER NOT NULL,
    "line" TEXT NOT NULL,
    "contact_id" INTEGER NOT NULL,
    "client_id" INTEGER,
    "contact_version" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,

    CONSTRAINT "report_submission_contacts_pkey" PRIMARY KEY ("submission_id","line","contact_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "contact_kinds_name_key" ON "contact_kinds"("name");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_form_id_key" ON "contacts"("form_id");

-- CreateIndex
CREATE INDEX "contacts_contacted_on_id_idx" ON "contacts"("contacted_on", "id");

-- CreateIndex
CREATE INDEX "contacts_user_id_contacted_on_id_idx" ON "contacts"("user_id", "contacted_on", "id");

-- CreateIndex
CREATE INDEX "contacts_contact_kind_id_idx" ON "contacts"("contact_kind_id");

-- CreateIndex
CREATE INDEX "contacts_age_bracket_id_idx" ON "contacts"("age_bracket_id");

-- CreateIndex
CREATE INDEX "contacts_referral_source_id_idx" ON "contacts"("referral_source_id");

-- CreateIndex
CREATE INDEX "report_submission_contacts_client_id_idx" ON "report_submission_contacts"("client_id");

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_contact_kind_id_fkey" FOREIGN KEY ("contact_kind_id") REFERENCES "contact_kinds"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_age_bracket_id_fkey" FOREIGN KEY ("age_bracket_id") REFERENCES "age_brackets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_referral_source_id_fkey" FOREIGN KEY ("referral_source_id") REFERENCES "referral_sources"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_submission_contacts" ADD CONSTRAINT "report_submission_contacts_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "report_submissions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE contacts
  ADD CHECK (contacted_on >= DATE '1900-01-01'),
  ADD CHECK (number BETWEEN 1 AND 500),
  ADD CHECK (minutes BETWEEN 0 AND 1440),
  ADD CHECK (gender IN ('Unknown', 'Male', 'Female', 'Transgender', 'Other')),
  ADD CHECK (adults BETWEEN 0 AND 99 AND children BETWEEN 0 AND 99),
  ADD CHECK (turned_away_reason IN ('', 'capacity', 'not_appropriate', 'other')),
  ADD CHECK (shelter_requested OR adults = 0 AND children = 0 AND turned_away_reason = ''),
  ADD CHECK (form_id IS NULL OR number = 1);

-- The kinds of a database that is in use. The seed gives them to a new one.
INSERT INTO contact_kinds (name, counts_as_hotline)
SELECT name, counts_as_hotline FROM (VALUES
  ('Hotline call', TRUE), ('Text or chat', TRUE), ('Walk-in', FALSE), ('Third party', FALSE), ('Shelter request', FALSE),
  ('Information only', FALSE)) AS kinds (name, counts_as_hotline)
WHERE EXISTS (SELECT FROM permissions);

-- Roles that fill in forms record contacts, too. The settings list goes to every role that holds all other permissions. A new
-- database has none yet: the seed makes them all. Every part of the statement sees the permissions as they were before it.
WITH added AS (
  INSERT INTO permissions (name)
  SELECT name FROM unnest(ARRAY['Contacts', 'Contact Kinds']) WITH ORDINALITY AS names (name, place)
  WHERE EXISTS (SELECT FROM permissions)
  ORDER BY place
  RETURNING id, name
), granted (role_id, name) AS (
  SELECT rp.role_id, 'Contacts' FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
  WHERE p.name = 'Forms'
  UNION ALL
  SELECT r.id, 'Contact Kinds' FROM roles r WHERE NOT EXISTS (
    SELECT FROM permissions p WHERE NOT EXISTS (
      SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id))
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT granted.role_id, added.id FROM granted JOIN added ON added.name = granted.name;
