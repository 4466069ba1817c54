-- AlterTable
ALTER TABLE "users" ADD COLUMN     "sso_issuer" TEXT,
ADD COLUMN     "sso_subject" TEXT;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "provider_sid" TEXT,
ADD COLUMN     "single_sign_on" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "users_sso_issuer_sso_subject_key" ON "users"("sso_issuer", "sso_subject");
