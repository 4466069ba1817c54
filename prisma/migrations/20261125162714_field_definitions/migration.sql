-- AlterTable
ALTER TABLE "clients" ADD COLUMN "custom" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "forms" ADD COLUMN "custom" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "custom_fields" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "section" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "hint" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "required_from" DATE,
    "sensitive" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,
    "retired_from" DATE,
    "removed" BOOLEAN NOT NULL DEFAULT false,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "custom_choices" (
    "id" SERIAL NOT NULL,
    "custom_field_id" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "retired_from" DATE,

    CONSTRAINT "custom_choices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "custom_field_form_types" (
    "custom_field_id" INTEGER NOT NULL,
    "form_type_id" INTEGER NOT NULL,

    CONSTRAINT "custom_field_form_types_pkey" PRIMARY KEY ("custom_field_id","form_type_id")
);

-- CreateTable
CREATE TABLE "field_settings" (
    "path" TEXT NOT NULL,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "label" TEXT,
    "hint" TEXT,
    "required_from" DATE,
    "position" INTEGER,

    CONSTRAINT "field_settings_pkey" PRIMARY KEY ("path")
);

-- CreateTable
CREATE TABLE "field_definitions" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "field_definitions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_name_key" ON "custom_fields"("name");

-- CreateIndex
CREATE INDEX "custom_choices_custom_field_id_idx" ON "custom_choices"("custom_field_id");

-- CreateIndex
CREATE INDEX "custom_field_form_types_form_type_id_idx" ON "custom_field_form_types"("form_type_id");

-- AddForeignKey
ALTER TABLE "custom_choices" ADD CONSTRAINT "custom_choices_custom_field_id_fkey" FOREIGN KEY ("custom_field_id") REFERENCES "custom_fields"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_field_form_types" ADD CONSTRAINT "custom_field_form_types_custom_field_id_fkey" FOREIGN KEY ("custom_field_id") REFERENCES "custom_fields"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_field_form_types" ADD CONSTRAINT "custom_field_form_types_form_type_id_fkey" FOREIGN KEY ("form_type_id") REFERENCES "form_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE custom_fields
  ADD CHECK (record IN ('client', 'form')),
  ADD CHECK (kind IN ('text', 'longText', 'flag', 'day', 'number', 'choice', 'choices'));

ALTER TABLE field_definitions
  ADD CHECK (id = 1);

INSERT INTO field_definitions DEFAULT VALUES;

-- A new database has no permissions yet: the seed makes them all. Every part of the statement sees the permissions as they
-- were before it.
WITH added AS (
  INSERT INTO permissions (name) SELECT 'Form Setup' WHERE EXISTS (SELECT FROM permissions) RETURNING id
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT r.id, added.id FROM roles r, added
WHERE NOT EXISTS (
  SELECT FROM permissions p WHERE NOT EXISTS (
    SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id));
