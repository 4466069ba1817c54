-- AlterTable
ALTER TABLE "forms" ADD COLUMN     "reconciled_at" TIMESTAMPTZ(3),
ADD COLUMN     "reconciled_by_id" INTEGER,
ADD COLUMN     "return_comment" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "returned_at" TIMESTAMPTZ(3),
ADD COLUMN     "returned_by_id" INTEGER;

-- CreateTable
CREATE TABLE "closed_periods" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "closed_through" DATE,

    CONSTRAINT "closed_periods_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "forms_reconciled_by_id_idx" ON "forms"("reconciled_by_id");

-- CreateIndex
CREATE INDEX "forms_returned_by_id_idx" ON "forms"("returned_by_id");

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_reconciled_by_id_fkey" FOREIGN KEY ("reconciled_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_returned_by_id_fkey" FOREIGN KEY ("returned_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma cannot say.

ALTER TABLE closed_periods ADD CHECK (id = 1);

-- The block above the list reads an advocate's returned forms, of which there are few.
CREATE INDEX forms_returned ON forms (user_id, returned_at) WHERE returned_at IS NOT NULL;

-- Who checked the forms that are reconciled already, as far as the audit knows.
UPDATE forms SET reconciled_by_id = checked.user_id, reconciled_at = checked.at
FROM (
  SELECT DISTINCT ON (entity_id) entity_id, users.id AS user_id, at
  FROM audit_events LEFT JOIN users ON users.id = user_id
  WHERE entity = 'form' AND action = 'reconciled'
  ORDER BY entity_id, at DESC
) AS checked
WHERE forms.reconciled AND forms.id = checked.entity_id;
