-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_unproved" BOOLEAN NOT NULL DEFAULT false;
