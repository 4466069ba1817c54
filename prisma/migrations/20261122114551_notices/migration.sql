-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "address" CITEXT,
ADD COLUMN     "notice" TEXT,
ALTER COLUMN "token_id" DROP NOT NULL;
