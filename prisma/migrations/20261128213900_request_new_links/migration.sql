-- AlterTable
ALTER TABLE "reset_requests" ADD COLUMN     "token_hash" TEXT,
ALTER COLUMN "email" DROP NOT NULL;

ALTER TABLE reset_requests ADD CHECK ((email IS NULL) <> (token_hash IS NULL));
