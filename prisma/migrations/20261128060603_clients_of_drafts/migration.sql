-- AlterTable
ALTER TABLE "drafts" ADD COLUMN     "client_ids" INTEGER[];
