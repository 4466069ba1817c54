-- AlterTable
ALTER TABLE "report_submission_records" DROP CONSTRAINT "report_submission_records_pkey",
ADD COLUMN     "stay_id" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stay_version" INTEGER NOT NULL DEFAULT 0,
ADD CONSTRAINT "report_submission_records_pkey" PRIMARY KEY ("submission_id", "line", "form_id", "stay_id");

-- CreateIndex
CREATE INDEX "report_submission_records_stay_id_idx" ON "report_submission_records"("stay_id");
