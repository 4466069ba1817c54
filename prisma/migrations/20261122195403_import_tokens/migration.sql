-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "token_id" INTEGER;
