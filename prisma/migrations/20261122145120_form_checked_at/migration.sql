-- AlterTable
ALTER TABLE "forms" ADD COLUMN     "checked_at" TIMESTAMPTZ(3);

UPDATE forms f SET checked_at = e.at
FROM (SELECT entity_id, max(at) AS at FROM audit_events
      WHERE entity = 'form' AND action IN ('reconciled', 'returned') GROUP BY entity_id) AS e
WHERE e.entity_id = f.id;
