-- CreateTable
CREATE TABLE "activity_kinds" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_kinds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "activities" (
    "id" SERIAL NOT NULL,
    "occurred_on" DATE NOT NULL,
    "activity_kind_id" INTEGER NOT NULL,
    "minutes" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "activity_kinds_name_key" ON "activity_kinds"("name");

-- CreateIndex
CREATE INDEX "activities_occurred_on_id_idx" ON "activities"("occurred_on", "id");

-- CreateIndex
CREATE INDEX "activities_user_id_occurred_on_id_idx" ON "activities"("user_id", "occurred_on", "id");

-- CreateIndex
CREATE INDEX "activities_activity_kind_id_idx" ON "activities"("activity_kind_id");

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_activity_kind_id_fkey" FOREIGN KEY ("activity_kind_id") REFERENCES "activity_kinds"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE activities
  ADD CHECK (occurred_on >= DATE '1900-01-01'),
  ADD CHECK (minutes BETWEEN 1 AND 1440);

-- The kinds of a database that is in use. The seed gives them to a new one.
INSERT INTO activity_kinds (name)
SELECT name FROM unnest(ARRAY[
  'Staff meeting', 'Supervision', 'Training received', 'Travel', 'Documentation', 'Administration', 'Volunteer support',
  'Paid leave', 'Other'
]) WITH ORDINALITY AS names (name, place)
WHERE EXISTS (SELECT FROM permissions) ORDER BY place;

-- Roles that fill in forms record their other work, too. The settings list goes to every role that holds all other
-- permissions. A new database has none yet: the seed makes them all. Every part of the statement sees the permissions as
-- they were before it.
WITH added AS (
  INSERT INTO permissions (name)
  SELECT name FROM unnest(ARRAY['Activities', 'Activity Kinds']) WITH ORDINALITY AS names (name, place)
  WHERE EXISTS (SELECT FROM permissions)
  ORDER BY place
  RETURNING id, name
), granted (role_id, name) AS (
  SELECT rp.role_id, 'Activities' FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
  WHERE p.name = 'Forms'
  UNION ALL
  SELECT r.id, 'Activity Kinds' FROM roles r
  WHERE NOT EXISTS (
    SELECT FROM permissions p WHERE NOT EXISTS (
      SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id))
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT granted.role_id, added.id FROM granted JOIN added ON added.name = granted.name;
