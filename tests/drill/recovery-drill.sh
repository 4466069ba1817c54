#!/bin/bash
# Drills lib/ops/recovery.sh with the PostgreSQL of this machine (Debian's, or its programs on PATH) and two throwaway keys,
# one of them with a passphrase. It makes a base, changes, and a mistake, and restores the moment before it. As root, it
# runs as the account postgres.
#   bash tests/drill/recovery-drill.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1 || true)
export PATH="$programs:$PATH"

if [ "$(id -u)" = 0 ]; then
  scripts=$(mktemp -d)
  cp "$here/../../lib/ops/recovery.sh" "$here/../../lib/ops/after-restore.sql" "$0" "$scripts"
  chown -R postgres "$scripts"
  status=0
  (cd / && SCRIPTS=$scripts setpriv --reuid=postgres --regid=postgres --init-groups bash "$scripts/$(basename "$0")") || status=$?
  rm -rf "$scripts"
  exit "$status"
fi

scripts=${SCRIPTS:-$here/../../lib/ops}
place=$(mktemp -d)
export HOME=$place PGHOST=$place PGPORT=54330 PGUSER=lanternbook PGDATABASE=lanternbook
export BACKUP_DIR="$place/backups" BACKUP_KEEP_DAYS=30 BACKUP_PUBLIC_KEYS="$place/keys" BACKUP_SECRET_KEY="$place/secret.asc"
mkdir "$BACKUP_DIR" "$BACKUP_PUBLIC_KEYS"
finish() {
  pg_ctl --pgdata="$place/data" --mode=immediate stop >/dev/null 2>&1 || true
  rm -rf "$place"
}
trap finish EXIT

export GNUPGHOME="$place/gpg"
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key drill@example.org default default never 2>/dev/null
gpg --armor --export >"$BACKUP_PUBLIC_KEYS/drill.asc"
gpg --batch --armor --export-secret-keys >"$BACKUP_SECRET_KEY"
phrase="of the second key"
gpg --batch --quiet --pinentry-mode loopback --passphrase "$phrase" --quick-generate-key second@example.org default default never 2>/dev/null
gpg --armor --export second@example.org >"$BACKUP_PUBLIC_KEYS/second.asc"
gpg --batch --pinentry-mode loopback --passphrase "$phrase" --armor --export-secret-keys second@example.org >"$place/protected.asc"
gpgconf --kill all
unset GNUPGHOME

initdb --pgdata="$place/data" --username=lanternbook --auth=trust >/dev/null
pg_ctl --pgdata="$place/data" --log="$place/log" --wait start --options="-p $PGPORT -k $place -c listen_addresses= \
  -c max_connections=200 -c archive_mode=on -c archive_timeout=60 -c archive_command='bash $scripts/recovery.sh archive %p %f'" >/dev/null
createdb lanternbook
sql() { psql --no-psqlrc --quiet --no-align --tuples-only --command="$1" --dbname="${2:-lanternbook}"; }
sql "CREATE TABLE clients (id int); CREATE TABLE forms (id int); CREATE TABLE audit_events (at timestamptz)"
sql "INSERT INTO forms SELECT generate_series(1, ${ROWS:-1000000})"

# Recovery targets and the ends of bases are whole seconds.
next_second() {
  local now
  now=$(date +%s)
  until [ "$(date +%s)" -gt $((now + 1)) ]; do sleep 0.1; done
}
seconds() { date +%s.%N; }
begin=$(seconds)
bash "$scripts/recovery.sh" base
echo "Base: $(echo "$(seconds) - $begin" | bc) s, $(du -h --apparent-size "$BACKUP_DIR"/recovery/base-* | cut -f 1)"

sql "INSERT INTO clients VALUES (1), (2), (3)"
next_second
moment=$(sql "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC')")
next_second
sql "DELETE FROM clients"
sql "SELECT pg_switch_wal()" >/dev/null
until [ "$(sql "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'")" = 0 ]; do sleep 1; done
[ "$(sql "SELECT failed_count FROM pg_stat_archiver")" = 0 ] || { echo "Archiving failed." >&2; exit 1; }

if strings "$BACKUP_DIR"/recovery/wal/*.gpg "$BACKUP_DIR"/recovery/base-* | grep -q audit_events; then
  echo "A backup is not encrypted." >&2
  exit 1
fi
for file in "$BACKUP_DIR"/recovery/wal/*.gpg; do
  [ "$(stat -c %s "$file")" -lt 16000000 ] || { echo "$file was not compressed." >&2; exit 1; }
done
echo "Log: $(ls "$BACKUP_DIR"/recovery/wal/*.gpg | wc -l) segments of 16 MB, $(du -ch --apparent-size "$BACKUP_DIR"/recovery/wal/*.gpg | tail -n 1 | cut -f 1)"
begin=$(seconds)
bash "$scripts/recovery.sh" restore "$moment"
echo "Restore: $(echo "$(seconds) - $begin" | bc) s"
[ "$(sql "SELECT count(*) FROM clients")" = 3 ] || { echo "The clients from before the mistake were not restored." >&2; exit 1; }
[ "$(sql "SELECT count(*) FROM pg_database WHERE datname LIKE 'lanternbook_before_%'")" = 1 ]
BACKUP_SECRET_KEY="$place/protected.asc" bash "$scripts/recovery.sh" drill "$moment" <<<"$phrase"
if BACKUP_SECRET_KEY="$place/protected.asc" bash "$scripts/recovery.sh" drill "$moment" <<<"wrong" >"$place/refused" 2>&1; then
  echo "A wrong passphrase was accepted." >&2
  exit 1
fi
grep -q "cannot be opened with this key and passphrase" "$place/refused"
if bash "$scripts/recovery.sh" drill "$(date -u -d '+1 day' '+%Y-%m-%d %H:%M:%S UTC')" >/dev/null 2>&1; then
  echo "A time that the log has not reached was accepted." >&2
  exit 1
fi
echo "Recovered to $moment, the moment before the mistake."
