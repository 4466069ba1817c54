#!/bin/sh
# Backups in docker-compose.yml, by PostgreSQL's own tools; the database is named by PGHOST & co.
#   nightly        one at BACKUP_AT every day; those older than BACKUP_KEEP_DAYS are removed
#   now            one at once
#   drill FILE     restores FILE beside the database, counts what it holds, and removes it again
#   restore FILE   the same, then puts it in the database's place, which stays under another name
set -eu
umask 077
cd "${BACKUP_DIR:-/backups}"

now() {
  file="casebook-$(date -u +%Y-%m-%dT%H%M%SZ).dump"
  pg_dump --format=custom --file="$file.unfinished"
  # A dump that pg_restore cannot read is none.
  pg_restore --list "$file.unfinished" >/dev/null
  sha256sum <"$file.unfinished" >"$file.sha256"
  mv "$file.unfinished" "$file"
  # find counts whole days: +29 is what is 30 days old.
  find . -name 'casebook-*.dump*' -mtime "+$((BACKUP_KEEP_DAYS - 1))" -delete
  echo "Saved $file"
}

seconds_until_next() {
  # So long after midnight: on the day the clocks go forward, 02:30 itself may not exist.
  at=$(date -d "00:00 today + ${BACKUP_AT%:*} hours + ${BACKUP_AT#*:} minutes" +%s)
  left=$((at - $(date +%s)))
  [ "$left" -gt 0 ] || left=$((left + 86400))
  echo "$left"
}

load() {
  # pg_restore does not notice every byte that has changed.
  if [ ! -e "$1.sha256" ]; then
    echo "There is no $1.sha256: whether the file is damaged is not known." >&2
  elif [ "$(sha256sum <"$1")" != "$(cat "$1.sha256")" ]; then
    echo "The file is damaged: $1" >&2
    exit 1
  fi
  dropdb --if-exists --force "$2"
  createdb --template=template0 "$2"
  pg_restore --exit-on-error --single-transaction --no-owner --dbname="$2" "$1"
}

case "${1:-}" in
  nightly)
    trap exit TERM INT
    [ -e .since ] || touch .since
    while :; do
      sleep "$(seconds_until_next)" &
      wait $!
      # Of its own process: sh ignores `set -e` in a command that may fail.
      sh "$0" now || echo "The backup failed." >&2
    done
    ;;
  now) now ;;
  drill)
    load "$2" casebook_drill
    psql --dbname=casebook_drill --command="SELECT (SELECT count(*) FROM clients) AS clients, (SELECT count(*) FROM forms) AS forms, (SELECT max(at) FROM audit_events) AS last_change"
    dropdb --force casebook_drill
    ;;
  restore)
    load "$2" casebook_restored
    before="casebook_before_$(date -u +%Y%m%d_%H%M%S)"
    psql --dbname=postgres --set=ON_ERROR_STOP=1 \
      --command="SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '$PGDATABASE'" \
      --command="ALTER DATABASE $PGDATABASE RENAME TO $before" \
      --command="ALTER DATABASE casebook_restored RENAME TO $PGDATABASE" >/dev/null
    echo "Restored $2. The database of before is $before; when it is no longer needed: dropdb $before"
    ;;
  *)
    sed -n '2,6p' "$0" >&2
    exit 2
    ;;
esac
