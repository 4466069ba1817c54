-- A change of a form locks this row while it checks the period. A row that is not there could not be locked, and the
-- first closing of a period would go unnoticed.
INSERT INTO closed_periods (id) VALUES (1) ON CONFLICT DO NOTHING;
