-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "entity" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "purged" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "retention_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "years" INTEGER,
    "nightly" BOOLEAN NOT NULL DEFAULT false,
    "ran_on" DATE,

    CONSTRAINT "retention_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_holds" (
    "client_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "held_by_id" INTEGER,
    "held_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_holds_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "client_ages" (
    "client_id" INTEGER NOT NULL,
    "since" DATE NOT NULL,
    "age_bracket_id" INTEGER NOT NULL,

    CONSTRAINT "client_ages_pkey" PRIMARY KEY ("client_id","since")
);

-- CreateIndex
CREATE INDEX "client_holds_held_by_id_idx" ON "client_holds"("held_by_id");

-- CreateIndex
CREATE INDEX "client_ages_age_bracket_id_idx" ON "client_ages"("age_bracket_id");

-- AddForeignKey
ALTER TABLE "client_holds" ADD CONSTRAINT "client_holds_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_holds" ADD CONSTRAINT "client_holds_held_by_id_fkey" FOREIGN KEY ("held_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_ages" ADD CONSTRAINT "client_ages_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_ages" ADD CONSTRAINT "client_ages_age_bracket_id_fkey" FOREIGN KEY ("age_bracket_id") REFERENCES "age_brackets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say.

-- As with closed periods, a row that is there can be locked.
INSERT INTO retention_settings (id) VALUES (1);
ALTER TABLE retention_settings ADD CHECK (id = 1), ADD CHECK (years BETWEEN 1 AND 100),
  ADD CHECK (years IS NOT NULL OR NOT nightly);

-- Lists leave purged clients out, and still need nothing but the index for it.
DROP INDEX clients_name_folded_id_idx;
CREATE INDEX clients_name_folded_id_idx ON clients (name_folded, id) INCLUDE (purged);
DROP INDEX clients_user_id_name_folded_id_idx;
CREATE INDEX clients_user_id_name_folded_id_idx ON clients (user_id, name_folded, id) INCLUDE (purged);
DROP INDEX clients_created_on_id_idx;
CREATE INDEX clients_created_on_id_idx ON clients (created_on, id) INCLUDE (purged);
DROP INDEX clients_user_id_id_idx;
CREATE INDEX clients_user_id_id_idx ON clients (user_id, id) INCLUDE (purged);
DROP INDEX clients_user_id_created_on_id_idx;
CREATE INDEX clients_user_id_created_on_id_idx ON clients (user_id, created_on, id) INCLUDE (purged);

-- Purged clients are tallied apart.
ALTER TABLE tallies ADD COLUMN purged boolean NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION tally_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, purged, tally)
    SELECT 'clients', user_id, purged, TG_ARGV[0]::int * count(*) FROM changed GROUP BY user_id, purged;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION tally_moved_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, purged, tally)
    VALUES ('clients', OLD.user_id, OLD.purged, -1), ('clients', NEW.user_id, NEW.purged, 1);
  RETURN NULL;
END $$;
DROP TRIGGER tally_moved ON clients;
CREATE TRIGGER tally_moved AFTER UPDATE ON clients FOR EACH ROW
  WHEN (OLD.user_id <> NEW.user_id OR OLD.purged <> NEW.purged) EXECUTE FUNCTION tally_moved_client();

-- A form that is saved while its client is purged waits for that, and is refused. Restored forms are older.
CREATE OR REPLACE FUNCTION copy_client_name() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- PostgreSQL keeps samples of columns for its planner, and of a table that has become empty for good. Nothing is planned
-- by these.
ALTER TABLE client_holds ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE drafts ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE idempotency_keys ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN body_hash SET STATISTICS 0;
