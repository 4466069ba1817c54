-- AlterTable
ALTER TABLE "service_provided_entries" ADD COLUMN     "of_session" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "groups" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "service_code_id" INTEGER NOT NULL,
    "form_type_id" INTEGER NOT NULL,
    "usual_minutes" INTEGER NOT NULL,
    "closed_on" DATE,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_users" (
    "group_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "group_users_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateTable
CREATE TABLE "group_clients" (
    "group_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,

    CONSTRAINT "group_clients_pkey" PRIMARY KEY ("group_id","client_id")
);

-- CreateTable
CREATE TABLE "group_sessions" (
    "id" SERIAL NOT NULL,
    "group_id" INTEGER NOT NULL,
    "held_on" DATE NOT NULL,
    "minutes" INTEGER NOT NULL,
    "unnamed" INTEGER NOT NULL DEFAULT 0,
    "service_code_id" INTEGER NOT NULL,
    "form_type_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "updated_by_id" INTEGER,
    "lock_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_session_leaders" (
    "id" SERIAL NOT NULL,
    "group_session_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "minutes" INTEGER NOT NULL,

    CONSTRAINT "group_session_leaders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attendances" (
    "id" SERIAL NOT NULL,
    "group_session_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,
    "form_id" INTEGER NOT NULL,
    "minutes" INTEGER,
    "edited" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "attendances_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "groups_name_id_idx" ON "groups"("name", "id");

-- CreateIndex
CREATE INDEX "groups_user_id_idx" ON "groups"("user_id");

-- CreateIndex
CREATE INDEX "groups_service_code_id_idx" ON "groups"("service_code_id");

-- CreateIndex
CREATE INDEX "groups_form_type_id_idx" ON "groups"("form_type_id");

-- CreateIndex
CREATE INDEX "group_users_user_id_idx" ON "group_users"("user_id");

-- CreateIndex
CREATE INDEX "group_clients_client_id_idx" ON "group_clients"("client_id");

-- CreateIndex
CREATE INDEX "group_sessions_group_id_held_on_id_idx" ON "group_sessions"("group_id", "held_on", "id");

-- CreateIndex
CREATE INDEX "group_sessions_user_id_idx" ON "group_sessions"("user_id");

-- CreateIndex
CREATE INDEX "group_sessions_service_code_id_idx" ON "group_sessions"("service_code_id");

-- CreateIndex
CREATE INDEX "group_sessions_form_type_id_idx" ON "group_sessions"("form_type_id");

-- CreateIndex
CREATE INDEX "group_session_leaders_user_id_idx" ON "group_session_leaders"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "group_session_leaders_group_session_id_user_id_key" ON "group_session_leaders"("group_session_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "attendances_form_id_key" ON "attendances"("form_id");

-- CreateIndex
CREATE INDEX "attendances_client_id_idx" ON "attendances"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "attendances_group_session_id_client_id_key" ON "attendances"("group_session_id", "client_id");

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_service_code_id_fkey" FOREIGN KEY ("service_code_id") REFERENCES "service_codes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_form_type_id_fkey" FOREIGN KEY ("form_type_id") REFERENCES "form_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_users" ADD CONSTRAINT "group_users_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_users" ADD CONSTRAINT "group_users_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_clients" ADD CONSTRAINT "group_clients_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_clients" ADD CONSTRAINT "group_clients_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_sessions" ADD CONSTRAINT "group_sessions_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_sessions" ADD CONSTRAINT "group_sessions_service_code_id_fkey" FOREIGN KEY ("service_code_id") REFERENCES "service_codes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_sessions" ADD CONSTRAINT "group_sessions_form_type_id_fkey" FOREIGN KEY ("form_type_id") REFERENCES "form_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_sessions" ADD CONSTRAINT "group_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_sessions" ADD CONSTRAINT "group_sessions_updated_by_id_fkey" FOREIGN KEY ("updated_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_session_leaders" ADD CONSTRAINT "group_session_leaders_group_session_id_fkey" FOREIGN KEY ("group_session_id") REFERENCES "group_sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_session_leaders" ADD CONSTRAINT "group_session_leaders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_group_session_id_fkey" FOREIGN KEY ("group_session_id") REFERENCES "group_sessions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE groups
  ADD CHECK (char_length(name) <= 255), ADD CHECK (usual_minutes BETWEEN 1 AND 1440), ADD CHECK (closed_on >= DATE '1900-01-01');
-- A purge may raise the number of people without a record above what the API allows.
ALTER TABLE group_sessions
  ADD CHECK (held_on >= DATE '1900-01-01'), ADD CHECK (minutes BETWEEN 1 AND 1440), ADD CHECK (unnamed >= 0);
ALTER TABLE group_session_leaders ADD CHECK (minutes BETWEEN 1 AND 1440);
ALTER TABLE attendances ADD CHECK (minutes BETWEEN 1 AND 1440);

-- Groups work together with forms and clients. A new database has no permission yet: the seed makes them all.
WITH added AS (
  INSERT INTO permissions (name) SELECT 'Groups' WHERE EXISTS (SELECT FROM permissions) RETURNING id
)
INSERT INTO role_permissions (role_id, permission_id)
SELECT rp.role_id, added.id FROM added, role_permissions rp JOIN permissions p ON p.id = rp.permission_id
WHERE p.name IN ('Forms', 'Clients') GROUP BY rp.role_id, added.id HAVING count(*) = 2;
