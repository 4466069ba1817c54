-- CreateTable
CREATE TABLE "drafts" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "form_id" INTEGER,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drafts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "drafts_form_id_idx" ON "drafts"("form_id");

-- CreateIndex
CREATE INDEX "drafts_updated_at_idx" ON "drafts"("updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "drafts_user_id_key_key" ON "drafts"("user_id", "key");

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "forms"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma cannot say: how clients are found by name (lib/clients/search.ts). Bodies are SQL-standard, so that
-- the names in them are resolved here and not by the search path of whoever restores or analyses the table.
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

-- "O'Brien-Núñez, Ana" → "obrien nunez ana"
CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN trim(regexp_replace(
  regexp_replace(lower(normalize(name, NFD)), '[\u0300-\u036f''’ʼ`]', '', 'g'),
  '[^[:alnum:]]+', ' ', 'g'
));

CREATE FUNCTION name_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (string_to_array(fold_name(name), ' '))[1:8];

-- How the words may be pronounced, in English ears: "Katherine Smith" → {K0RN,KTRN,SM0,XMT}
CREATE FUNCTION name_sounds(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT sound), '{}')
  FROM unnest(name_words(name)) AS word, unnest(ARRAY[dmetaphone(word), dmetaphone_alt(word)]) AS sound
  WHERE sound <> ''
);

ALTER TABLE clients
  ADD COLUMN name_folded text NOT NULL GENERATED ALWAYS AS (fold_name(name)) STORED,
  ADD COLUMN name_sounds text[] NOT NULL GENERATED ALWAYS AS (name_sounds(name)) STORED;

CREATE INDEX clients_name_folded_trgm ON clients USING gin (name_folded gin_trgm_ops);
CREATE INDEX clients_name_sounds ON clients USING gin (name_sounds);
