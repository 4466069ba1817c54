-- Headings are kept encrypted now, and a file that waits would have none: it has to be sent in again.
DELETE FROM "imports" WHERE "status" IN ('uploading', 'waiting', 'checking', 'checked');

-- AlterTable
ALTER TABLE "imports" DROP COLUMN "headings",
ADD COLUMN     "uploaded_by_id" INTEGER;

UPDATE "imports" SET "uploaded_by_id" = "user_id";

-- AlterTable
ALTER TABLE "import_notes" ADD COLUMN     "clients" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- Of whom these tell is encrypted, where no migration can read it.
DELETE FROM "import_notes" WHERE "about" IN ('similar', 'kept');
