-- AlterTable
ALTER TABLE "form_types" ADD COLUMN     "had_survivor_entry" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "sort_order" INTEGER NOT NULL DEFAULT 100;

ALTER TABLE form_types ADD CHECK (sort_order BETWEEN 0 AND 999);

-- The types keep their order. Steps of ten leave space for a type in between.
UPDATE form_types SET sort_order = least(place * 10, 999)
FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM form_types) AS places WHERE places.id = form_types.id;

-- The settings list goes to every role that holds all other permissions. A new database has none yet: the seed makes them
-- all. Every part of the statement sees the permissions as they were before it.
WITH added AS (
  INSERT INTO permissions (name) SELECT 'Form Types' WHERE EXISTS (SELECT FROM permissions) RETURNING id
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT r.id, added.id FROM roles r, added WHERE NOT EXISTS (
  SELECT FROM permissions p WHERE NOT EXISTS (
    SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id));
