-- AlterTable
ALTER TABLE "forms" ADD COLUMN     "answered_to_id" INTEGER;

-- CreateTable
CREATE TABLE "form_comments" (
    "id" SERIAL NOT NULL,
    "form_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "text" TEXT NOT NULL,

    CONSTRAINT "form_comments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "form_comments_form_id_id_idx" ON "form_comments"("form_id", "id");

-- CreateIndex
CREATE INDEX "form_comments_user_id_idx" ON "form_comments"("user_id");

-- AddForeignKey
ALTER TABLE "forms" ADD CONSTRAINT "forms_answered_to_id_fkey" FOREIGN KEY ("answered_to_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_comments" ADD CONSTRAINT "form_comments_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_comments" ADD CONSTRAINT "form_comments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma cannot express.

-- PostgreSQL keeps samples of columns for its planner, even after the table has become empty. A purge must not leave any.
ALTER TABLE form_comments ALTER COLUMN text SET STATISTICS 0;

-- Home counts a reviewer's answered forms, of which there are few.
CREATE INDEX forms_answered ON forms (answered_to_id) WHERE answered_to_id IS NOT NULL AND NOT reconciled;

-- The comments of the returns that wait for their advocate.
INSERT INTO form_comments (form_id, user_id, at, text)
SELECT id, returned_by_id, returned_at, return_comment FROM forms
WHERE returned_at IS NOT NULL AND return_comment <> '' ORDER BY returned_at, id;
