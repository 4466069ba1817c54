-- Nine permissions more. Nobody can grant what they do not hold, so they go to every role that holds all of the
-- former ones. A new database has none yet: the seed makes them all (prisma/seed.ts). Every part of the statement
-- sees the permissions as they were before it.
WITH "added" AS (
  INSERT INTO "permissions" ("name")
  SELECT "name" FROM unnest(ARRAY[
    'Audit Log', 'Retention', 'Export', 'Import', 'Reports', 'Reports Setup', 'Close Periods', 'Restrict Clients',
    'API Tokens'
  ]) WITH ORDINALITY AS "names" ("name", "place")
  WHERE EXISTS (SELECT FROM "permissions")
  ORDER BY "place"
  RETURNING "id"
), "whole" AS (
  SELECT r."id" FROM "roles" r WHERE NOT EXISTS (
    SELECT FROM "permissions" p WHERE NOT EXISTS (
      SELECT FROM "role_permissions" rp WHERE rp."role_id" = r."id" AND rp."permission_id" = p."id"))
)
INSERT INTO "role_permissions" ("role_id", "permission_id")
SELECT "whole"."id", "added"."id" FROM "whole", "added";
