-- CreateTable
CREATE TABLE "form_checks" (
    "form_id" INTEGER NOT NULL,
    "client_id" INTEGER NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "content" JSONB,

    CONSTRAINT "form_checks_pkey" PRIMARY KEY ("form_id")
);

-- CreateIndex
CREATE INDEX "form_checks_client_id_idx" ON "form_checks"("client_id");

-- AddForeignKey
ALTER TABLE "form_checks" ADD CONSTRAINT "form_checks_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot express.

-- PostgreSQL keeps samples of columns for its planner, even after the table has become empty. A purge must not leave any.
ALTER TABLE form_checks ALTER COLUMN content SET STATISTICS 0;

-- Forms that were changed after their last check: what was checked was not kept, so the screen refers to the history.
INSERT INTO form_checks (form_id, client_id, checked_at)
SELECT id, client_id, checked_at FROM forms WHERE checked_at IS NOT NULL AND NOT reconciled AND updated_at > checked_at;
