-- DropForeignKey
ALTER TABLE "client_holds" DROP CONSTRAINT "client_holds_client_id_fkey";

-- AddForeignKey
ALTER TABLE "client_holds" ADD CONSTRAINT "client_holds_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
