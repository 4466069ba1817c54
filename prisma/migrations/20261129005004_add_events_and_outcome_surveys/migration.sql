-- CreateTable
CREATE TABLE "event_kinds" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_kinds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outcome_questions" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "spanish" TEXT NOT NULL DEFAULT '',
    "measure" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outcome_questions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" SERIAL NOT NULL,
    "held_on" DATE NOT NULL,
    "event_kind_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "attended" INTEGER NOT NULL DEFAULT 0,
    "materials" INTEGER NOT NULL DEFAULT 0,
    "identifies_victimization" BOOLEAN NOT NULL DEFAULT false,
    "series_id" INTEGER,
    "series_people" INTEGER,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_staff" (
    "id" SERIAL NOT NULL,
    "event_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "minutes" INTEGER NOT NULL,

    CONSTRAINT "event_staff_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outcome_surveys" (
    "id" SERIAL NOT NULL,
    "counted_on" DATE NOT NULL,
    "service_kind" TEXT NOT NULL,
    "completed" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outcome_surveys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outcome_answers" (
    "id" SERIAL NOT NULL,
    "outcome_survey_id" INTEGER NOT NULL,
    "outcome_question_id" INTEGER NOT NULL,
    "yes" INTEGER NOT NULL DEFAULT 0,
    "no" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "outcome_answers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "event_kinds_name_key" ON "event_kinds"("name");

-- CreateIndex
CREATE UNIQUE INDEX "outcome_questions_name_key" ON "outcome_questions"("name");

-- CreateIndex
CREATE INDEX "events_held_on_id_idx" ON "events"("held_on", "id");

-- CreateIndex
CREATE INDEX "events_user_id_held_on_id_idx" ON "events"("user_id", "held_on", "id");

-- CreateIndex
CREATE INDEX "events_event_kind_id_idx" ON "events"("event_kind_id");

-- CreateIndex
CREATE INDEX "events_series_id_idx" ON "events"("series_id");

-- CreateIndex
CREATE INDEX "event_staff_user_id_idx" ON "event_staff"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_staff_event_id_user_id_key" ON "event_staff"("event_id", "user_id");

-- CreateIndex
CREATE INDEX "outcome_surveys_counted_on_id_idx" ON "outcome_surveys"("counted_on", "id");

-- CreateIndex
CREATE INDEX "outcome_surveys_user_id_counted_on_id_idx" ON "outcome_surveys"("user_id", "counted_on", "id");

-- CreateIndex
CREATE INDEX "outcome_answers_outcome_question_id_idx" ON "outcome_answers"("outcome_question_id");

-- CreateIndex
CREATE UNIQUE INDEX "outcome_answers_outcome_survey_id_outcome_question_id_key" ON "outcome_answers"("outcome_survey_id", "outcome_question_id");

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_event_kind_id_fkey" FOREIGN KEY ("event_kind_id") REFERENCES "event_kinds"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "events"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_staff" ADD CONSTRAINT "event_staff_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_staff" ADD CONSTRAINT "event_staff_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outcome_surveys" ADD CONSTRAINT "outcome_surveys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outcome_surveys" ADD CONSTRAINT "outcome_surveys_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outcome_answers" ADD CONSTRAINT "outcome_answers_outcome_survey_id_fkey" FOREIGN KEY ("outcome_survey_id") REFERENCES "outcome_surveys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outcome_answers" ADD CONSTRAINT "outcome_answers_outcome_question_id_fkey" FOREIGN KEY ("outcome_question_id") REFERENCES "outcome_questions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE events
  ADD CHECK (held_on >= DATE '1900-01-01'),
  ADD CHECK (char_length(title) BETWEEN 1 AND 255),
  ADD CHECK (audience IN ('general', 'youth', 'professionals')),
  ADD CHECK (attended BETWEEN 0 AND 99999),
  ADD CHECK (materials BETWEEN 0 AND 99999),
  ADD CHECK (series_people BETWEEN 0 AND 99999),
  ADD CHECK (series_people IS NULL OR series_id IS NOT NULL);

-- One event of a series has the number of different people in all of its sessions.
CREATE UNIQUE INDEX events_people_of_series ON events (series_id) WHERE series_people IS NOT NULL;

ALTER TABLE event_staff ADD CHECK (minutes BETWEEN 1 AND 1440);

ALTER TABLE outcome_questions ADD CHECK (measure IN ('', 'safety', 'resources'));

-- At most one question of each measure is asked.
CREATE UNIQUE INDEX outcome_questions_asked ON outcome_questions (measure) WHERE active AND measure <> '';

ALTER TABLE outcome_surveys
  ADD CHECK (counted_on >= DATE '1900-01-01'),
  ADD CHECK (service_kind IN ('shelter', 'advocacy', 'counseling', 'support_group')),
  ADD CHECK (completed BETWEEN 1 AND 999);

ALTER TABLE outcome_answers ADD CHECK (yes BETWEEN 0 AND 999), ADD CHECK (no BETWEEN 0 AND 999);

-- The lists of a database that is in use. The seed gives them to a new one.
INSERT INTO event_kinds (name)
SELECT name FROM unnest(ARRAY[
  'School presentation', 'Community presentation', 'Faith community', 'Health care training', 'Law enforcement training',
  'Court and legal training', 'School staff training', 'Social service training', 'Workplace presentation',
  'Fair or information table', 'Vigil or awareness event', 'Media or social media'
]) WITH ORDINALITY AS names (name, place)
WHERE EXISTS (SELECT FROM permissions) ORDER BY place;

INSERT INTO outcome_questions (name, spanish, measure)
SELECT name, spanish, measure FROM (VALUES
  (1, 'Because of these services, I know more ways to plan for my safety.',
    'Gracias a estos servicios, conozco más maneras de planear mi seguridad.', 'safety'),
  (2, 'Because of these services, I know more about community resources.',
    'Gracias a estos servicios, conozco mejor los recursos de la comunidad.', 'resources')
) AS questions (place, name, spanish, measure)
WHERE EXISTS (SELECT FROM permissions) ORDER BY place;

-- Roles that fill in forms record this work, too. The settings lists go to every role that holds all other permissions. A
-- new database has none yet: the seed makes them all. Every part of the statement sees the permissions as they were before it.
WITH added AS (
  INSERT INTO permissions (name)
  SELECT name FROM unnest(ARRAY['Events', 'Outcome Surveys', 'Event Kinds', 'Outcome Questions'])
    WITH ORDINALITY AS names (name, place)
  WHERE EXISTS (SELECT FROM permissions)
  ORDER BY place
  RETURNING id, name
), granted (role_id, name) AS (
  SELECT rp.role_id, records.name FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
    CROSS JOIN (VALUES ('Events'), ('Outcome Surveys')) AS records (name)
  WHERE p.name = 'Forms'
  UNION ALL
  SELECT r.id, lists.name FROM roles r CROSS JOIN (VALUES ('Event Kinds'), ('Outcome Questions')) AS lists (name)
  WHERE NOT EXISTS (
    SELECT FROM permissions p WHERE NOT EXISTS (
      SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id))
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT granted.role_id, added.id FROM granted JOIN added ON added.name = granted.name;
