-- CreateTable
CREATE TABLE "report_submission_plain" (
    "submission_id" INTEGER NOT NULL,
    "line" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" INTEGER NOT NULL,
    "record_version" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,

    CONSTRAINT "report_submission_plain_pkey" PRIMARY KEY ("submission_id","line","kind","record_id")
);

-- AddForeignKey
ALTER TABLE "report_submission_plain" ADD CONSTRAINT "report_submission_plain_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "report_submissions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
