-- CreateTable
CREATE TABLE "client_merges" (
    "id" SERIAL NOT NULL,
    "client_id" INTEGER NOT NULL,
    "merged_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "key_id" UUID NOT NULL,
    "details" BYTEA,

    CONSTRAINT "client_merges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "client_merges_merged_id_key" ON "client_merges"("merged_id");

-- CreateIndex
CREATE INDEX "client_merges_key_id_idx" ON "client_merges"("key_id");

-- CreateIndex
CREATE INDEX "client_merges_user_id_idx" ON "client_merges"("user_id");

-- AddForeignKey
ALTER TABLE "client_merges" ADD CONSTRAINT "client_merges_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "client_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_merges" ADD CONSTRAINT "client_merges_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
