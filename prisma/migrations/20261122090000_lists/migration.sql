-- DropIndex
DROP INDEX "clients_user_id_idx";

-- DropIndex
DROP INDEX "forms_client_id_idx";

-- DropIndex
DROP INDEX "forms_form_type_id_idx";

-- Forms are sorted by their client's name, which an index can do only by a column of their own. It is filled before
-- there are more indexes to keep.
ALTER TABLE forms ADD COLUMN client_name text COLLATE "C" NOT NULL DEFAULT '';
UPDATE forms SET client_name = name_folded FROM clients WHERE clients.id = client_id;

-- CreateIndex
CREATE INDEX "clients_user_id_id_idx" ON "clients"("user_id", "id");

-- CreateIndex
CREATE INDEX "clients_user_id_created_on_id_idx" ON "clients"("user_id", "created_on", "id");

-- CreateIndex
CREATE INDEX "forms_reconciled_service_status_id_idx" ON "forms"("reconciled", "service_status", "id");

-- CreateIndex
CREATE INDEX "forms_form_type_id_reconciled_id_idx" ON "forms"("form_type_id", "reconciled", "id");

-- CreateIndex
CREATE INDEX "forms_user_id_reconciled_id_idx" ON "forms"("user_id", "reconciled", "id");

-- CreateIndex
CREATE INDEX "forms_user_id_reconciled_service_status_id_idx" ON "forms"("user_id", "reconciled", "service_status", "id");

-- CreateIndex
CREATE INDEX "forms_user_id_reconciled_form_type_id_id_idx" ON "forms"("user_id", "reconciled", "form_type_id", "id");

-- CreateIndex
CREATE INDEX "forms_client_id_reconciled_service_on_id_idx" ON "forms"("client_id", "reconciled", "service_on", "id");

-- What Prisma cannot say.

-- One folding for names wherever they are searched or sorted, and one order for them that depends on no locale.
DROP INDEX clients_name_trgm;
DROP INDEX clients_name_sort;
ALTER TABLE clients ALTER COLUMN name_folded TYPE text COLLATE "C";
CREATE INDEX clients_name_folded_id_idx ON clients (name_folded, id);
CREATE INDEX clients_user_id_name_folded_id_idx ON clients (user_id, name_folded, id);

-- Every letter and every two neighbours in a name: what a trigram index cannot find. "ana" → {a,an,n,na}
CREATE FUNCTION name_pairs(folded text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT substr(folded, at, size)), '{}')
  FROM generate_series(1, length(folded)) AS at, generate_series(1, 2) AS size
);
CREATE INDEX clients_name_pairs ON clients USING gin (name_pairs(name_folded));
-- "mary o brien" is "mary obrien".
CREATE INDEX clients_name_joined ON clients (replace(name_folded, ' ', ''));

-- The foreign key keeps a form's copy of the name the client's: a new name cascades, and an old one is refused.
ALTER TABLE clients ADD UNIQUE (id, name_folded);

-- The lock waits for a client who is being renamed. An unknown client is left to the foreign keys.
CREATE FUNCTION copy_client_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.client_name := coalesce((SELECT name_folded FROM clients WHERE id = NEW.client_id FOR KEY SHARE), '');
  RETURN NEW;
END $$;
CREATE TRIGGER forms_client_name BEFORE INSERT OR UPDATE OF client_id ON forms
  FOR EACH ROW EXECUTE FUNCTION copy_client_name();
ALTER TABLE forms ADD FOREIGN KEY (client_id, client_name) REFERENCES clients (id, name_folded) ON UPDATE CASCADE;

CREATE INDEX forms_reconciled_client_name_id_idx ON forms (reconciled, client_name, id);
CREATE INDEX forms_user_id_reconciled_client_name_id_idx ON forms (user_id, reconciled, client_name, id);

-- How many rows a list has, without counting them: the sum of its tallies. Every change adds tallies of its own, so
-- that no transaction waits for another; the worker adds them up (lib/database/tallies.ts). Backups leave them out.
CREATE TABLE tallies (
  list text NOT NULL,
  user_id int NOT NULL,
  reconciled boolean NOT NULL DEFAULT false,
  tally int NOT NULL
);
INSERT INTO tallies (list, user_id, tally) SELECT 'clients', user_id, count(*) FROM clients GROUP BY user_id;
INSERT INTO tallies SELECT 'forms', user_id, reconciled, count(*) FROM forms GROUP BY user_id, reconciled;

-- The argument is what a row counts; the rows are those of the statement.
CREATE FUNCTION tally_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, tally)
    SELECT 'clients', user_id, TG_ARGV[0]::int * count(*) FROM changed GROUP BY user_id;
  RETURN NULL;
END $$;
CREATE FUNCTION tally_forms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies
    SELECT 'forms', user_id, reconciled, TG_ARGV[0]::int * count(*) FROM changed GROUP BY user_id, reconciled;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_added AFTER INSERT ON clients
  REFERENCING NEW TABLE AS changed EXECUTE FUNCTION tally_clients('1');
CREATE TRIGGER tally_removed AFTER DELETE ON clients
  REFERENCING OLD TABLE AS changed EXECUTE FUNCTION tally_clients('-1');
CREATE TRIGGER tally_added AFTER INSERT ON forms
  REFERENCING NEW TABLE AS changed EXECUTE FUNCTION tally_forms('1');
CREATE TRIGGER tally_removed AFTER DELETE ON forms
  REFERENCING OLD TABLE AS changed EXECUTE FUNCTION tally_forms('-1');

CREATE FUNCTION tally_moved_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, tally) VALUES ('clients', OLD.user_id, -1), ('clients', NEW.user_id, 1);
  RETURN NULL;
END $$;
CREATE FUNCTION tally_moved_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies VALUES ('forms', OLD.user_id, OLD.reconciled, -1), ('forms', NEW.user_id, NEW.reconciled, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER tally_moved AFTER UPDATE ON clients FOR EACH ROW
  WHEN (OLD.user_id <> NEW.user_id) EXECUTE FUNCTION tally_moved_client();
CREATE TRIGGER tally_moved AFTER UPDATE ON forms FOR EACH ROW
  WHEN (OLD.user_id <> NEW.user_id OR OLD.reconciled <> NEW.reconciled) EXECUTE FUNCTION tally_moved_form();

CREATE FUNCTION tally_none() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM tallies WHERE list = TG_TABLE_NAME;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_none AFTER TRUNCATE ON clients EXECUTE FUNCTION tally_none();
CREATE TRIGGER tally_none AFTER TRUNCATE ON forms EXECUTE FUNCTION tally_none();

-- A page is read from an index alone as long as what changed since the last vacuum is little.
ALTER TABLE clients SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE forms SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
