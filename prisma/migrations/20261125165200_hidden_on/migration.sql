-- AlterTable
ALTER TABLE "field_settings" ADD COLUMN     "hidden_on" DATE;
