-- CreateTable
CREATE TABLE "exit_destinations" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exit_destinations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shelters" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "beds" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shelters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stays" (
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "shelter_id" INTEGER NOT NULL,
    "entered_on" DATE NOT NULL,
    "left_on" DATE,
    "adults" INTEGER NOT NULL DEFAULT 0,
    "children_thirteen_to_seventeen" INTEGER NOT NULL DEFAULT 0,
    "children_under_thirteen" INTEGER NOT NULL DEFAULT 0,
    "exit_destination_id" INTEGER,
    "medical_advocacy" BOOLEAN NOT NULL DEFAULT false,
    "overlapping" BOOLEAN NOT NULL DEFAULT false,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stays_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "exit_destinations_name_key" ON "exit_destinations"("name");

-- CreateIndex
CREATE UNIQUE INDEX "shelters_name_key" ON "shelters"("name");

-- CreateIndex
CREATE INDEX "stays_client_id_entered_on_idx" ON "stays"("client_id", "entered_on");

-- CreateIndex
CREATE INDEX "stays_entered_on_id_idx" ON "stays"("entered_on", "id");

-- CreateIndex
CREATE INDEX "stays_shelter_id_idx" ON "stays"("shelter_id");

-- CreateIndex
CREATE INDEX "stays_exit_destination_id_idx" ON "stays"("exit_destination_id");

-- CreateIndex
CREATE INDEX "stays_user_id_idx" ON "stays"("user_id");

-- AddForeignKey
ALTER TABLE "stays" ADD CONSTRAINT "stays_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stays" ADD CONSTRAINT "stays_shelter_id_fkey" FOREIGN KEY ("shelter_id") REFERENCES "shelters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stays" ADD CONSTRAINT "stays_exit_destination_id_fkey" FOREIGN KEY ("exit_destination_id") REFERENCES "exit_destinations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stays" ADD CONSTRAINT "stays_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stays" ADD CONSTRAINT "stays_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE shelters
  ADD CHECK (kind IN ('In-house', 'Hotel or motel', 'Safe home', 'Transitional')),
  ADD CHECK (beds BETWEEN 0 AND 999);

-- A client is in one shelter at a time; the day of a move belongs to both stays. A merge may leave overlaps. Ranges of one
-- id replace equality, which would need the extension btree_gist.
ALTER TABLE stays
  ADD CHECK (entered_on >= DATE '1900-01-01' AND left_on >= entered_on),
  ADD CHECK (adults BETWEEN 0 AND 99 AND children_thirteen_to_seventeen BETWEEN 0 AND 99
    AND children_under_thirteen BETWEEN 0 AND 99),
  ADD CHECK (left_on IS NOT NULL OR exit_destination_id IS NULL),
  ADD CONSTRAINT stays_one_at_a_time EXCLUDE USING gist (
    int4range(client_id, client_id, '[]') WITH &&, daterange(entered_on, left_on) WITH &&) WHERE (NOT overlapping);

-- The exit destinations of a database that is in use. The seed gives them to a new one.
INSERT INTO exit_destinations (name)
SELECT name FROM unnest(ARRAY[
  'Own home', 'Family or friends', 'Rental with a subsidy', 'Rental without a subsidy', 'Transitional housing',
  'Another shelter', 'Hotel or motel', 'Hospital or treatment', 'Returned to the abuser', 'Somewhere else', 'Unknown'
]) WITH ORDINALITY AS names (name, place)
WHERE EXISTS (SELECT FROM permissions) ORDER BY place;

-- Roles that fill in forms move clients in, too. The settings lists go to every role that holds all other permissions. A new
-- database has none yet: the seed makes them all. Every part of the statement sees the permissions as they were before it.
WITH added AS (
  INSERT INTO permissions (name)
  SELECT name FROM unnest(ARRAY['Shelter', 'Shelters', 'Exit Destinations']) WITH ORDINALITY AS names (name, place)
  WHERE EXISTS (SELECT FROM permissions)
  ORDER BY place
  RETURNING id, name
), granted (role_id, name) AS (
  SELECT rp.role_id, 'Shelter' FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
  WHERE p.name = 'Forms'
  UNION ALL
  SELECT r.id, lists.name FROM roles r, (VALUES ('Shelters'), ('Exit Destinations')) AS lists (name)
  WHERE NOT EXISTS (
    SELECT FROM permissions p WHERE NOT EXISTS (
      SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id))
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT granted.role_id, added.id FROM granted JOIN added ON added.name = granted.name;
