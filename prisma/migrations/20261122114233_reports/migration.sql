-- CreateTable
CREATE TABLE "report_settings" (
    "report" TEXT NOT NULL,
    "year_start" INTEGER NOT NULL,
    "lock_version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "report_settings_pkey" PRIMARY KEY ("report")
);

-- CreateTable
CREATE TABLE "report_mappings" (
    "id" SERIAL NOT NULL,
    "report" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "form_type_id" INTEGER,
    "line" TEXT NOT NULL,
    "valid_from" DATE NOT NULL,
    "valid_through" DATE,

    CONSTRAINT "report_mappings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "report_submissions" (
    "id" SERIAL NOT NULL,
    "report" TEXT NOT NULL,
    "from_on" DATE NOT NULL,
    "to_on" DATE NOT NULL,
    "user_id" INTEGER,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "report_submissions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "report_submission_lines" (
    "submission_id" INTEGER NOT NULL,
    "line" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "report_submission_lines_pkey" PRIMARY KEY ("submission_id","line")
);

-- CreateTable
CREATE TABLE "report_submission_records" (
    "submission_id" INTEGER NOT NULL,
    "line" TEXT NOT NULL,
    "client_id" INTEGER NOT NULL,
    "form_id" INTEGER NOT NULL,
    "client_version" INTEGER NOT NULL,
    "form_version" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,

    CONSTRAINT "report_submission_records_pkey" PRIMARY KEY ("submission_id","line","form_id")
);

-- CreateIndex
CREATE INDEX "report_mappings_report_kind_idx" ON "report_mappings"("report", "kind");

-- CreateIndex
CREATE INDEX "report_mappings_form_type_id_idx" ON "report_mappings"("form_type_id");

-- CreateIndex
CREATE INDEX "report_submissions_user_id_idx" ON "report_submissions"("user_id");

-- CreateIndex
CREATE INDEX "report_submissions_report_from_on_idx" ON "report_submissions"("report", "from_on");

-- CreateIndex
CREATE INDEX "report_submission_records_client_id_idx" ON "report_submission_records"("client_id");

-- CreateIndex
CREATE INDEX "report_submission_records_form_id_idx" ON "report_submission_records"("form_id");

-- AddForeignKey
ALTER TABLE "report_mappings" ADD CONSTRAINT "report_mappings_form_type_id_fkey" FOREIGN KEY ("form_type_id") REFERENCES "form_types"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_submissions" ADD CONSTRAINT "report_submissions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_submission_lines" ADD CONSTRAINT "report_submission_lines_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "report_submissions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_submission_records" ADD CONSTRAINT "report_submission_records_submission_id_fkey" FOREIGN KEY ("submission_id") REFERENCES "report_submissions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
