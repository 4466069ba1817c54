-- Submissions can be withdrawn. They are kept.
ALTER TABLE "report_submissions" ADD COLUMN "withdrawn_at" TIMESTAMPTZ(3),
  ADD COLUMN "withdrawn_by_id" INTEGER,
  ADD COLUMN "withdraw_reason" TEXT;
CREATE INDEX "report_submissions_withdrawn_by_id_idx" ON "report_submissions"("withdrawn_by_id");
ALTER TABLE "report_submissions" ADD CONSTRAINT "report_submissions_withdrawn_by_id_fkey"
  FOREIGN KEY ("withdrawn_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
