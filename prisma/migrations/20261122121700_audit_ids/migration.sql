-- Lists read ids first and their rows by id.
CREATE INDEX audit_events_id_idx ON audit_events (id);
