-- A key points to the record that it made; the stored answer, in which clients stood in clear, goes. A dropped
-- column stays in the rows that had it, so it is emptied first.
ALTER TABLE "idempotency_keys" ADD COLUMN "record_id" INTEGER;

DELETE FROM "idempotency_keys" WHERE "answer"->>'id' IS NULL;
UPDATE "idempotency_keys" SET "record_id" = ("answer"->>'id')::int, "answer" = 'null';

ALTER TABLE "idempotency_keys" ALTER COLUMN "record_id" SET NOT NULL, DROP COLUMN "answer";
