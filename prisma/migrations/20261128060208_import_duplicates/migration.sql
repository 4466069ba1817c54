-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "duplicates" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "file_name" BYTEA;
