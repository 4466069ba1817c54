-- AlterTable
ALTER TABLE "roles" ADD COLUMN     "requires_two_step" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "two_steps" (
    "user_id" INTEGER NOT NULL,
    "secret" BYTEA,
    "pending" BYTEA,
    "last_step" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "two_steps_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "user_id" INTEGER NOT NULL,
    "code_hash" TEXT NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","code_hash")
);

-- AddForeignKey
ALTER TABLE "two_steps" ADD CONSTRAINT "two_steps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
