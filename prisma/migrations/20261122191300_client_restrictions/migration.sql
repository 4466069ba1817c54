-- CreateTable
CREATE TABLE "client_restrictions" (
    "client_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_restrictions_pkey" PRIMARY KEY ("client_id","user_id")
);

-- CreateIndex
CREATE INDEX "client_restrictions_user_id_client_id_idx" ON "client_restrictions"("user_id", "client_id");

-- CreateIndex
CREATE INDEX "client_restrictions_created_by_id_idx" ON "client_restrictions"("created_by_id");

-- AddForeignKey
ALTER TABLE "client_restrictions" ADD CONSTRAINT "client_restrictions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_restrictions" ADD CONSTRAINT "client_restrictions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
