-- AlterTable
ALTER TABLE "field_definitions" ADD COLUMN     "field_order" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Own fields keep their order. A field of the program that was moved returns to its declared place.
UPDATE field_definitions SET field_order = ARRAY(
  SELECT record || '.custom.' || name FROM custom_fields WHERE NOT removed ORDER BY position, id);
DELETE FROM field_settings WHERE NOT hidden AND label IS NULL AND hint IS NULL AND required_from IS NULL;

-- AlterTable
ALTER TABLE "custom_fields" DROP COLUMN "position";

-- AlterTable
ALTER TABLE "field_settings" DROP COLUMN "position";
