-- AlterTable
ALTER TABLE "report_settings" ADD COLUMN     "due_days" INTEGER NOT NULL DEFAULT 30;
