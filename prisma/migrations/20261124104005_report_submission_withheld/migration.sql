-- CreateTable
CREATE TABLE "report_submission_withheld" (
    "submission_id" INTEGER NOT NULL,
    "line" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "report_submission_withheld_pkey" PRIMARY KEY ("submission_id","line","user_id")
);

-- CreateIndex
CREATE INDEX "report_submission_withheld_user_id_idx" ON "report_submission_withheld"("user_id");

-- AddForeignKey
ALTER TABLE "report_submission_withheld" ADD CONSTRAINT "report_submission_withheld_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "report_submissions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_submission_withheld" ADD CONSTRAINT "report_submission_withheld_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
