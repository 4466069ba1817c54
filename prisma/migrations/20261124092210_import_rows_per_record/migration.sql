-- A key may have several records: one that is restricted from an importer, and the one that this importer made of the
-- same row.
-- AlterTable
ALTER TABLE "import_rows" DROP CONSTRAINT "import_rows_pkey",
ADD COLUMN     "for_user_id" INTEGER,
ADD CONSTRAINT "import_rows_pkey" PRIMARY KEY ("kind", "key", "record_id");

-- Possible duplicates are few among many rows.
CREATE INDEX import_rows_for_user_id_idx ON import_rows (kind, key) WHERE for_user_id IS NOT NULL;
