-- The audit trail (contract §8): partitioned by month, in the order in which transactions were given their ids.

-- Added to every transaction id, so that positions go on rising after a restore into a younger PostgreSQL, whose ids
-- are smaller. The owner's start replaces it (lib/operate/audit.ts).
CREATE FUNCTION audit_offset() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 0::bigint;

-- Where a row that is written now stands.
CREATE FUNCTION audit_position() RETURNS bigint LANGUAGE sql VOLATILE
RETURN pg_current_xact_id()::text::bigint + audit_offset();

-- Whatever stands before it has been committed or rolled back: no row can come there any more.
CREATE FUNCTION audit_horizon() RETURNS bigint LANGUAGE sql STABLE
RETURN pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_offset();

ALTER TABLE audit_events RENAME TO former_audit_events;
ALTER SEQUENCE audit_events_id_seq OWNED BY NONE;

CREATE TABLE audit_events (
  id bigint NOT NULL DEFAULT nextval('audit_events_id_seq'),
  at timestamptz(3) NOT NULL DEFAULT now(),
  "position" bigint NOT NULL DEFAULT audit_position(),
  -- Null: nobody who is known. There is no foreign key: what a user did outlives the user.
  user_id int,
  user_name text NOT NULL,
  action text NOT NULL,
  -- The body's singular name.
  entity text,
  entity_id int,
  -- Whom the record is about.
  client_id int,
  request_id text,
  address text,
  -- The names of what changed, as paths on the wire without "Attributes".
  fields text[],
  -- Of a list: how many rows were shown, and their ids.
  "rows" int,
  shown int[],
  -- Former and new values, or the searched words, encrypted: under the client's key that key_id names, else under the program's.
  key_id uuid,
  details bytea
) PARTITION BY RANGE (at);
CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;

-- Makes the partitions of the months from `since` to two years after now that are missing, in UTC. What has come into
-- the default one meanwhile moves along.
CREATE FUNCTION make_audit_months(since timestamptz) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  month timestamptz;
  part text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', since), date_trunc('month', now()) + interval '24 months', interval '1 month') LOOP
    part := 'audit_events_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass('public.' || part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE audit_events INCLUDING DEFAULTS)', part);
    EXECUTE format(
      'WITH moved AS (DELETE FROM audit_events_default WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      month, month + interval '1 month', part);
    EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      part, month, month + interval '1 month');
  END LOOP;
END $$;

SELECT make_audit_months(coalesce(min(at), now())) FROM former_audit_events;
INSERT INTO audit_events (id, at, user_id, user_name, action, entity, entity_id, client_id)
  SELECT id, at, user_id, user_name, action, entity, entity_id, CASE entity WHEN 'client' THEN entity_id END
  FROM former_audit_events ORDER BY id;
DROP TABLE former_audit_events;
ALTER SEQUENCE audit_events_id_seq OWNED BY audit_events.id;

ALTER TABLE audit_events ADD CONSTRAINT audit_events_pkey PRIMARY KEY (at, id);
CREATE INDEX audit_events_position_idx ON audit_events ("position");
CREATE INDEX audit_events_user_id_at_id_idx ON audit_events (user_id, at, id);
CREATE INDEX audit_events_entity_entity_id_at_id_idx ON audit_events (entity, entity_id, at, id);
CREATE INDEX audit_events_action_at_id_idx ON audit_events (action, at, id);
-- "Who was shown this record in a list?"
CREATE INDEX audit_events_shown ON audit_events USING gin (shown) WHERE shown IS NOT NULL;

-- The keys of clients' values, each encrypted under a key derived from AUTH_SECRET. A client whose keys are deleted has
-- no values left that can be read. Two saves at once may each have made one.
CREATE TABLE client_keys (
  id uuid NOT NULL,
  client_id int NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT client_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX client_keys_client_id_idx ON client_keys (client_id);

-- One seal covers the rows from the position of the seal before up to its own (lib/audit/seals.ts).
CREATE TABLE audit_seals (
  id int NOT NULL,
  at timestamptz(3) NOT NULL,
  "position" bigint NOT NULL,
  entries bytea NOT NULL,
  hmac bytea NOT NULL,
  CONSTRAINT audit_seals_pkey PRIMARY KEY (id)
);

-- How many months the trail is kept at least.
CREATE TABLE audit_retention (
  months int NOT NULL CHECK (months > 0),
  CONSTRAINT audit_retention_pkey PRIMARY KEY (months)
);
INSERT INTO audit_retention VALUES (84);

-- Drops a month of the trail, and records that. Refuses what is to be kept, and what has not been sealed. It runs with
-- its owner's rights, which alone reach so far.
CREATE FUNCTION drop_audit_month(month date, user_id int, user_name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  first timestamptz := date_trunc('month', month);
  part text := 'audit_events_' || to_char(month, 'YYYY_MM');
  newest bigint;
BEGIN
  IF to_regclass('public.' || part) IS NULL THEN
    RAISE EXCEPTION 'There is no month % in the audit trail', to_char(month, 'YYYY-MM');
  END IF;
  IF first + interval '1 month' + make_interval(months => (SELECT max(months) FROM audit_retention)) > now() THEN
    RAISE EXCEPTION 'The month % is still to be kept', to_char(month, 'YYYY-MM');
  END IF;
  EXECUTE format('SELECT max("position") FROM %I', part) INTO newest;
  IF newest >= coalesce((SELECT max("position") FROM audit_seals), 0) THEN
    RAISE EXCEPTION 'The month % is not sealed yet', to_char(month, 'YYYY-MM');
  END IF;
  EXECUTE format('DROP TABLE %I', part);
  INSERT INTO audit_events (user_id, user_name, action, entity, entity_id)
    VALUES (user_id, user_name, 'purged', 'auditMonth', to_char(month, 'YYYYMM')::int);
END $$;
