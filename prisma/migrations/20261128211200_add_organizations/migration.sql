-- CreateTable
CREATE TABLE "organizations" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT,
    "short_name" TEXT NOT NULL DEFAULT '',
    "help_text" TEXT,
    "color" TEXT,
    "logo" BYTEA,
    "logo_type" TEXT,
    "logo_hash" TEXT,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE organizations
  ADD CHECK (id = 1),
  ADD CHECK ((logo IS NULL) = (logo_type IS NULL) AND (logo IS NULL) = (logo_hash IS NULL));

-- Its values are those of the environment until someone saves others.
INSERT INTO organizations (id) VALUES (1);

-- The permission goes to every role that holds all others. A new database has none yet: the seed makes them all. Every
-- part of the statement sees the permissions as they were before it.
WITH added AS (
  INSERT INTO permissions (name) SELECT 'Organization' WHERE EXISTS (SELECT FROM permissions)
  RETURNING id
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT r.id, added.id FROM roles r CROSS JOIN added
WHERE NOT EXISTS (
  SELECT FROM permissions p WHERE NOT EXISTS (
    SELECT FROM role_permissions rp WHERE rp.role_id = r.id AND rp.permission_id = p.id));
