-- The FVPSA report maps shelters, contact kinds, form types, its services, and sex with dates. Rows that only its former
-- rules used are converted or deleted. A new database has no reports yet: prisma/seed-reports.ts adds their rows.

-- Submissions keep the version of the rules by which they were counted.
ALTER TABLE "report_submissions" ADD COLUMN "rules" INTEGER NOT NULL DEFAULT 1;

-- One row for each source, valid from the beginning.
INSERT INTO report_mappings (report, kind, source, line, valid_from)
SELECT 'fvpsa', kind, source, line, '1900-01-01' FROM (
  SELECT 1 AS place, 'contact_kind' AS kind, id, id::text AS source,
    CASE WHEN counts_as_hotline THEN 'hotline' ELSE 'none' END AS line FROM contact_kinds
  UNION ALL SELECT 2, 'form_type', id, id::text, CASE WHEN phone THEN 'hotline' ELSE 'none' END FROM form_types
  UNION ALL SELECT 3, 'shelter', id, id::text, CASE kind WHEN 'Transitional' THEN 'none' ELSE 'shelter' END FROM shelters
  UNION ALL SELECT 4, 'sex', place, value, line FROM (VALUES (1, 'Unknown', 'sex_not_reported'), (2, 'Male', 'sex_male'),
    (3, 'Female', 'sex_female'), (4, 'Transgender', 'sex_not_reported'), (5, 'Other', 'sex_not_reported')
  ) AS sexes (place, value, line)
) AS sources WHERE EXISTS (SELECT FROM report_settings WHERE report = 'fvpsa')
ORDER BY place, id;

-- Codes whose rows are still those of the seed get the new defaults.
CREATE TEMPORARY TABLE seeded_codes (code text, line text) ON COMMIT DROP;
INSERT INTO seeded_codes VALUES
  ('ACCOMPANY', 'none'), ('ASSESS', 'c1_crisis_intervention'), ('CASE-MGMT', 'b4_individual_advocacy'),
  ('CHILD', 'b4_individual_advocacy'), ('COMP', 'none'), ('COUNSEL-GRP', 'c5_support_groups'),
  ('COUNSEL-IND', 'c4_individual_counseling'), ('CRIMINAL', 'none'), ('CRISIS', 'c1_crisis_intervention'),
  ('CUSTODY', 'none'), ('EMERG-AID', 'none'), ('HOSPITAL', 'none'), ('HOTEL', 'none'), ('HOUSING', 'none'),
  ('IMMIGRATION', 'none'), ('INTERPRET', 'none'), ('LAW-ENF', 'none'), ('LEGAL-INFO', 'none'), ('PFA-PREP', 'none'),
  ('PFA-VIDEO', 'none'), ('REFERRAL', 'none'), ('SAFETY', 'c1_crisis_intervention'), ('SHELTER', 'none'), ('TRANSPORT', 'none');

CREATE TEMPORARY TABLE unchanged_codes ON COMMIT DROP AS
SELECT c.id::text AS source, s.code FROM service_codes c JOIN seeded_codes s ON s.code = c.code::text
WHERE NOT EXISTS (
  SELECT FROM report_mappings m WHERE m.report = 'fvpsa' AND m.kind = 'service_code' AND m.source = c.id::text
    AND (m.valid_from <> '1900-01-01' OR m.valid_through IS NOT NULL
      OR m.line <> CASE WHEN m.form_type_id IS NULL THEN s.line ELSE 'none' END));

INSERT INTO report_mappings (report, kind, source, line, valid_from)
SELECT 'fvpsa', 'fvpsa_service', source, CASE
    WHEN code = 'COUNSEL-GRP' THEN 'group'
    WHEN code IN ('HOTEL', 'SHELTER', 'INTERPRET', 'COMP', 'EMERG-AID') THEN 'none'
    ELSE 'individual' END, '1900-01-01'
FROM unchanged_codes WHERE EXISTS (SELECT FROM report_settings WHERE report = 'fvpsa')
ORDER BY source::int;

-- Codes that the organization mapped keep its choice, with dates and form types. A code could be on several lines, which
-- counted together: it is a group only if it is on no other line on the same days.
UPDATE report_mappings SET kind = 'fvpsa_service', line = CASE line
    WHEN 'none' THEN 'none' WHEN 'c5_support_groups' THEN 'group' ELSE 'individual' END
WHERE report = 'fvpsa' AND kind = 'service_code' AND source NOT IN (SELECT source FROM unchanged_codes);
DELETE FROM report_mappings m USING report_mappings other
WHERE m.report = 'fvpsa' AND m.kind = 'fvpsa_service' AND other.report = 'fvpsa' AND other.kind = 'fvpsa_service'
  AND other.source = m.source AND other.form_type_id IS NOT DISTINCT FROM m.form_type_id AND other.id <> m.id
  AND other.valid_from <= coalesce(m.valid_through, '9999-12-31')
  AND m.valid_from <= coalesce(other.valid_through, '9999-12-31')
  AND (m.line, m.id) > (CASE WHEN other.line = 'individual' THEN '' ELSE other.line END, other.id)
  AND m.line <> 'individual';
DELETE FROM report_mappings m USING report_mappings other
WHERE m.report = 'fvpsa' AND m.kind = 'fvpsa_service' AND other.report = 'fvpsa' AND other.kind = 'fvpsa_service'
  AND other.source = m.source AND other.form_type_id IS NOT DISTINCT FROM m.form_type_id AND other.id < m.id
  AND other.line = m.line AND other.valid_from <= m.valid_from
  AND coalesce(other.valid_through, '9999-12-31') >= coalesce(m.valid_through, '9999-12-31');

DELETE FROM report_mappings WHERE report = 'fvpsa' AND kind IN ('service_code', 'gender');

ALTER TABLE "contact_kinds" DROP COLUMN "counts_as_hotline";
