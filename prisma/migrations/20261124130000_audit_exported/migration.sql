-- "Who exported this record?", without reading all the lists that showed it.
CREATE INDEX audit_events_exported ON audit_events USING gin (shown) WHERE action = 'exported';
