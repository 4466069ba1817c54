-- CreateTable
CREATE TABLE "imports" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "user_id" INTEGER,
    "owner_id" INTEGER,
    "headings" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "matches" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "repeated" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "alike" INTEGER NOT NULL DEFAULT 0,
    "removed" INTEGER NOT NULL DEFAULT 0,
    "kept" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT NOT NULL DEFAULT '',
    "lease" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_parts" (
    "import_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "import_parts_pkey" PRIMARY KEY ("import_id","number")
);

-- CreateTable
CREATE TABLE "import_rows" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "import_id" INTEGER NOT NULL,
    "record_id" INTEGER NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("kind","key")
);

-- CreateTable
CREATE TABLE "import_notes" (
    "import_id" INTEGER NOT NULL,
    "about" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "import_notes_pkey" PRIMARY KEY ("import_id","about","number")
);

-- CreateIndex
CREATE INDEX "imports_user_id_idx" ON "imports"("user_id");

-- CreateIndex
CREATE INDEX "import_rows_import_id_record_id_idx" ON "import_rows"("import_id", "record_id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_parts" ADD CONSTRAINT "import_parts_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_notes" ADD CONSTRAINT "import_notes_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
