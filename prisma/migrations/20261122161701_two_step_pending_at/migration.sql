-- AlterTable
ALTER TABLE "two_steps" ADD COLUMN     "pending_at" TIMESTAMPTZ(3);
