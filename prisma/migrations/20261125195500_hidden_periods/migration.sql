-- CreateTable
CREATE TABLE "hidden_periods" (
    "path" TEXT NOT NULL,
    "hidden_from" DATE NOT NULL,
    "shown_from" DATE,

    CONSTRAINT "hidden_periods_pkey" PRIMARY KEY ("path","hidden_from")
);

INSERT INTO hidden_periods (path, hidden_from)
SELECT path, hidden_on FROM field_settings WHERE hidden AND hidden_on IS NOT NULL;

-- AlterTable
ALTER TABLE "field_settings" DROP COLUMN "hidden_on";
