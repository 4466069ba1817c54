-- AlterTable
ALTER TABLE "report_settings" ADD COLUMN     "due_from" DATE;
