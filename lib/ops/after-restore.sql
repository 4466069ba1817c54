-- Runs at the end of each restore and removes old access, such as a recovery code that was used since the backup. Backups
-- no longer contain these tables (lib/ops/archive.ts, backup.sh), but older ones do. Those may have other columns.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sessions', 'mails', 'tokens', 'api_tokens', 'recovery_codes', 'reset_requests', 'login_failures', 'idempotency_keys', 'import_parts'] LOOP
    IF to_regclass('public.' || name) IS NOT NULL THEN
      EXECUTE format('DELETE FROM public.%I', name);
    END IF;
  END LOOP;
  -- A generation that no browser has: otherwise, devices that were ended since the backup would be known again.
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('public.users') AND attname = 'device_generation') THEN
    UPDATE public.users SET device_generation = GREATEST(device_generation + 1, (extract(epoch FROM now()) / 60)::int);
  END IF;
END $$;
