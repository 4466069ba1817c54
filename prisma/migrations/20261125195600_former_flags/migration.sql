-- AlterTable
ALTER TABLE "form_types" ADD COLUMN     "former_flags" TEXT[] DEFAULT ARRAY[]::TEXT[];

UPDATE form_types SET former_flags = '{survivorEntry}' WHERE had_survivor_entry;

-- AlterTable
ALTER TABLE "form_types" DROP COLUMN "had_survivor_entry";

-- AlterTable
ALTER TABLE "service_codes" ADD COLUMN     "former_flags" TEXT[] DEFAULT ARRAY[]::TEXT[];
