-- AlterTable
ALTER TABLE "drafts" ADD COLUMN     "name" BYTEA;
