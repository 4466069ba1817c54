-- AlterTable
ALTER TABLE "client_keys" ADD COLUMN     "also_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- CreateIndex
CREATE INDEX "client_keys_also_ids_idx" ON "client_keys" USING GIN ("also_ids");
