-- Forms are tallied by type and status as well, for lists under these filters. Those tallies name no user, so that they
-- stay few.
ALTER TABLE tallies ADD COLUMN form_type_id int NOT NULL DEFAULT 0, ADD COLUMN service_status text NOT NULL DEFAULT '';

CREATE OR REPLACE FUNCTION tally_forms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, reconciled, tally)
    SELECT 'forms', user_id, reconciled, TG_ARGV[0]::int * count(*) FROM changed GROUP BY user_id, reconciled;
  INSERT INTO tallies (list, user_id, reconciled, form_type_id, service_status, tally)
    SELECT 'forms by kind', 0, reconciled, form_type_id, service_status, TG_ARGV[0]::int * count(*)
    FROM changed GROUP BY reconciled, form_type_id, service_status;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tally_moved_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, reconciled, form_type_id, service_status, tally) VALUES
    ('forms', OLD.user_id, OLD.reconciled, DEFAULT, DEFAULT, -1),
    ('forms', NEW.user_id, NEW.reconciled, DEFAULT, DEFAULT, 1),
    ('forms by kind', 0, OLD.reconciled, OLD.form_type_id, OLD.service_status, -1),
    ('forms by kind', 0, NEW.reconciled, NEW.form_type_id, NEW.service_status, 1);
  RETURN NULL;
END $$;
DROP TRIGGER tally_moved ON forms;
CREATE TRIGGER tally_moved AFTER UPDATE ON forms FOR EACH ROW
  WHEN ((OLD.user_id, OLD.reconciled, OLD.form_type_id, OLD.service_status)
    <> (NEW.user_id, NEW.reconciled, NEW.form_type_id, NEW.service_status))
  EXECUTE FUNCTION tally_moved_form();

CREATE OR REPLACE FUNCTION tally_none() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM tallies WHERE list IN (TG_TABLE_NAME, TG_TABLE_NAME || ' by kind');
  RETURN NULL;
END $$;

-- After the last change of the trigger, which waits for saves, so that none is missed or counted twice.
INSERT INTO tallies (list, user_id, reconciled, form_type_id, service_status, tally)
  SELECT 'forms by kind', 0, reconciled, form_type_id, service_status, count(*) FROM forms GROUP BY 3, 4, 5;
