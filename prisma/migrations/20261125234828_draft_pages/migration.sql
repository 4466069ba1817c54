-- AlterTable
ALTER TABLE "drafts" ADD COLUMN     "page" TEXT;
