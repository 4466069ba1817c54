-- Forms are tallied by day as well, for lists of a period. With the index, the few tallies of the other lists are found
-- among those of thousands of days.

-- In the order in which saves lock, which would otherwise wait for this while this waits for them. No form is missed
-- below, or counted twice.
LOCK TABLE forms IN ACCESS EXCLUSIVE MODE;
ALTER TABLE tallies ADD COLUMN service_on date NOT NULL DEFAULT '-infinity';
CREATE INDEX tallies_list_service_on_idx ON tallies (list, service_on);

CREATE OR REPLACE FUNCTION tally_forms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, reconciled, tally)
    SELECT 'forms', user_id, reconciled, TG_ARGV[0]::int * count(*) FROM changed GROUP BY user_id, reconciled;
  INSERT INTO tallies (list, user_id, reconciled, form_type_id, service_status, tally)
    SELECT 'forms by kind', 0, reconciled, form_type_id, service_status, TG_ARGV[0]::int * count(*)
    FROM changed GROUP BY reconciled, form_type_id, service_status;
  INSERT INTO tallies (list, user_id, reconciled, service_on, tally)
    SELECT 'forms by day', 0, reconciled, service_on, TG_ARGV[0]::int * count(*)
    FROM changed GROUP BY reconciled, service_on;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tally_moved_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (list, user_id, reconciled, form_type_id, service_status, service_on, tally) VALUES
    ('forms', OLD.user_id, OLD.reconciled, DEFAULT, DEFAULT, DEFAULT, -1),
    ('forms', NEW.user_id, NEW.reconciled, DEFAULT, DEFAULT, DEFAULT, 1),
    ('forms by kind', 0, OLD.reconciled, OLD.form_type_id, OLD.service_status, DEFAULT, -1),
    ('forms by kind', 0, NEW.reconciled, NEW.form_type_id, NEW.service_status, DEFAULT, 1),
    ('forms by day', 0, OLD.reconciled, DEFAULT, DEFAULT, OLD.service_on, -1),
    ('forms by day', 0, NEW.reconciled, DEFAULT, DEFAULT, NEW.service_on, 1);
  RETURN NULL;
END $$;
DROP TRIGGER tally_moved ON forms;
CREATE TRIGGER tally_moved AFTER UPDATE ON forms FOR EACH ROW
  WHEN ((OLD.user_id, OLD.reconciled, OLD.form_type_id, OLD.service_status, OLD.service_on)
    <> (NEW.user_id, NEW.reconciled, NEW.form_type_id, NEW.service_status, NEW.service_on))
  EXECUTE FUNCTION tally_moved_form();

CREATE OR REPLACE FUNCTION tally_none() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM tallies WHERE list = TG_TABLE_NAME OR starts_with(list, TG_TABLE_NAME || ' by ');
  RETURN NULL;
END $$;

-- A process of an older version adds tallies up without the columns that it does not know. It must fail at that rather
-- than put all days, or all types, together. What one has done to the types and statuses is mended.
DELETE FROM tallies WHERE list = 'forms by kind';
ALTER TABLE tallies
  ADD CHECK (list <> 'forms by kind' OR form_type_id <> 0 AND service_status <> ''),
  ADD CHECK (list <> 'forms by day' OR service_on > '-infinity');
INSERT INTO tallies (list, user_id, reconciled, form_type_id, service_status, tally)
  SELECT 'forms by kind', 0, reconciled, form_type_id, service_status, count(*) FROM forms GROUP BY 3, 4, 5;
INSERT INTO tallies (list, user_id, reconciled, service_on, tally)
  SELECT 'forms by day', 0, reconciled, service_on, count(*) FROM forms GROUP BY 3, 4 ORDER BY 4;
ANALYZE tallies;
