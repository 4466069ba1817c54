#!/bin/bash
# Recovery to any minute in docker-compose.yml, with PostgreSQL's own tools and gpg. Files are encrypted for the public keys
# in the folder BACKUP_PUBLIC_KEYS (one KEY.asc each). This server cannot open them. They are kept for BACKUP_KEEP_DAYS in
# the folder recovery of BACKUP_DIR.
#   archive PATH NAME     PostgreSQL's archive_command: keeps one segment of its log
#   base                  keeps a copy of the whole cluster, and removes files that are too old
#   nightly               a base at BACKUP_AT every day, and one at once if there is none yet
#   restore TIME          recovers the newest base up to TIME, such as "2026-11-25 14:03", with the secret key in the file
#                         BACKUP_SECRET_KEY, and asks for its passphrase if it has one; then replaces the database, which
#                         stays under another name
#   drill TIME            the same, but only counts the records
set -euo pipefail
umask 077
here=$(cd "$(dirname "$0")" && pwd)
folder="${BACKUP_DIR:-/backups}/recovery"
mode=${1:-}

# libpq itself does not read a password from a file like this one.
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat -- "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

refuse() {
  echo "$1" >&2
  exit 1
}

# libpq's own message names no variable.
assert_connects() {
  local said
  said=$(psql --no-psqlrc --no-password --dbname=postgres --command="SELECT" 2>&1 >/dev/null) ||
    refuse "$said
If it is the password: it must be that of the database role ${PGUSER:-} (with Docker Compose: POSTGRES_PASSWORD). See docs/operate/keys.md."
}

# gpg compresses before it encrypts. Files from before that are read in the same way.
encrypt() {
  local recipients=() key
  for key in "${BACKUP_PUBLIC_KEYS:?names a folder of public keys}"/*.asc; do
    [ -e "$key" ] || refuse "There is no public key (*.asc) in $BACKUP_PUBLIC_KEYS."
    recipients+=(--recipient-file "$key")
  done
  GNUPGHOME=$(mktemp -d)
  export GNUPGHOME
  local status=0
  gpg --batch --quiet --no-tty --trust-model always --compress-algo zlib --compress-level 6 --encrypt "${recipients[@]}" || status=$?
  rm -rf "$GNUPGHOME"
  return "$status"
}

# PostgreSQL passes a segment again if it stopped before it recorded the success. A different segment of the same name comes
# from another cluster and must not replace the first.
archive() {
  local target="$folder/wal/$2" sum
  mkdir -p "$folder/wal"
  sum=$(sha256sum <"$1")
  if [ -e "$target.gpg" ]; then
    [ "$(cat "$target.sha256")" = "$sum" ] || refuse "$target.gpg already contains another segment."
    return
  fi
  echo "$sum" >"$target.sha256"
  encrypt <"$1" >"$target.unfinished"
  sync "$target.unfinished" "$target.sha256"
  mv "$target.unfinished" "$target.gpg"
}

base() {
  local unfinished="$folder/base.unfinished"
  mkdir -p "$folder/wal"
  assert_connects
  pg_basebackup --pgdata=- --format=tar --wal-method=fetch --checkpoint=fast | encrypt >"$unfinished"
  # Named after its end: an earlier time cannot be recovered from it.
  local file="base-$(date -u +%Y-%m-%dT%H%M%SZ).tar.gpg"
  mv "$unfinished" "$folder/$file"
  # find counts whole days. The log is kept one day longer than bases: the oldest base needs the log from its beginning.
  find "$folder" -maxdepth 1 -name 'base-*' -mtime "+$((BACKUP_KEEP_DAYS - 1))" -delete
  find "$folder/wal" -type f ! -name '*.history.*' -mtime "+$BACKUP_KEEP_DAYS" -delete
  echo "Saved $file"
}

seconds_until_next() {
  local at left
  at=$(date -d "00:00 today + ${BACKUP_AT%:*} hours + ${BACKUP_AT#*:} minutes" +%s)
  left=$((at - $(date +%s)))
  [ "$left" -gt 0 ] || left=$((left + 86400))
  echo "$left"
}

# Prints the newest base that was complete at the given second.
base_before() {
  local file name found=
  for file in "$folder"/base-*.tar.gpg; do
    name=$(basename "$file" .tar.gpg)
    name=${name#base-}
    [ "$(date -u -d "${name:0:13}:${name:13:2}:${name:15}" +%s 2>/dev/null || echo 9999999999)" -gt "$1" ] || found=$file
  done
  [ -n "$found" ] || refuse "There is no base from before that time in $folder."
  echo "$found"
}

# Makes gpg open files with the secret key. A key with a passphrase stays encrypted on the disk, and the passphrase is in
# memory only (in Docker, /tmp is).
open_key() {
  gpg --batch --quiet --import "${BACKUP_SECRET_KEY:?names the file of the secret key}" ||
    refuse "BACKUP_SECRET_KEY names a file that account $(id -u) cannot read, or that is not a secret key."
  passphrase_file=$(mktemp)
  if gpg-connect-agent 'keyinfo --list' /bye | grep -q '^S KEYINFO .* P '; then
    echo "The secret key has a passphrase." >&2
    IFS= read -rsp "Passphrase: " passphrase || refuse "No passphrase was entered."
    echo >&2
    printf %s "$passphrase" >"$passphrase_file"
  fi
}

decrypt() {
  gpg --batch --quiet --no-tty --pinentry-mode loopback --passphrase-file "$passphrase_file" --decrypt "$1"
}

# Runs a copy of the cluster as it was at $1. Only this account can connect to it.
recover() {
  local seconds base
  seconds=$(date -d "$1" +%s) || refuse "This is not a time: $1"
  base=$(base_before "$seconds")
  [ -w "${RECOVERY_DIR:-/tmp}" ] ||
    refuse "This account cannot write to ${RECOVERY_DIR:-/tmp}. docker compose run --rm --user root --entrypoint chown recovery 999:999 ${RECOVERY_DIR:-/tmp}"
  work=$(mktemp -d "${RECOVERY_DIR:-/tmp}/recovery.XXXXXX")
  trap stop_recovered EXIT
  export GNUPGHOME="$work/gpg"
  mkdir "$work/data" "$GNUPGHOME"
  open_key
  echo "Recovering $base up to $(date -u -d "@$seconds" '+%Y-%m-%d %H:%M:%S UTC')."
  decrypt "$base" | tar --extract --directory="$work/data" || refuse "$base cannot be opened with this key and passphrase."
  rm -f "$work/data/postmaster.pid"
  touch "$work/data/recovery.signal"
  echo 'local all all trust' >"$work/hba"
  postgres -D "$work/data" \
    -c hba_file="$work/hba" -c listen_addresses= -c unix_socket_directories="$work" -c archive_mode=off -c hot_standby=off \
    -c restore_command="gpg --batch --quiet --no-tty --pinentry-mode loopback --passphrase-file '$passphrase_file' --decrypt '$folder/wal/%f.gpg' >'%p'" \
    -c recovery_target_time="$(date -u -d "@$seconds" '+%Y-%m-%d %H:%M:%S+00')" \
    -c recovery_target_action=promote -c log_error_verbosity=terse >"$work/log" 2>&1 &
  recovered=$!
  local in_recovery=
  until [ "$in_recovery" = f ]; do
    kill -0 "$recovered" 2>/dev/null || {
      tail -n 20 "$work/log" >&2
      refuse "The recovery ended. PostgreSQL recovers only to a time that its archived log has reached."
    }
    sleep 1
    in_recovery=$(psql --host="$work" --dbname=postgres --no-psqlrc -Atc "SELECT pg_is_in_recovery()" 2>/dev/null || true)
  done
}

stop_recovered() {
  if [ -n "${recovered:-}" ]; then
    kill -INT "$recovered" 2>/dev/null || true
    wait "$recovered" || true
  fi
  gpgconf --kill all 2>/dev/null || true
  rm -rf "$work" "${passphrase_file:-}"
}

count() {
  # On a terminal, a pager would wait for a key.
  psql --no-psqlrc --pset=pager=off "$@" --command="SELECT (SELECT count(*) FROM clients) AS clients, (SELECT count(*) FROM forms) AS forms, (SELECT max(at) FROM audit_events) AS last_change"
}

# PostgreSQL refuses to run as root.
if [[ "$mode" =~ ^(restore|drill)$ ]] && [ "$(id -u)" = 0 ]; then
  copy=$(mktemp)
  cat "${BACKUP_SECRET_KEY:?names the file of the secret key}" >"$copy"
  chown postgres "$copy"
  status=0
  BACKUP_SECRET_KEY=$copy setpriv --reuid=postgres --regid=postgres --init-groups "$BASH" "$0" "$@" || status=$?
  rm -f "$copy"
  exit "$status"
fi

case "$mode" in
  archive) archive "$2" "$3" ;;
  base) base ;;
  nightly)
    trap exit TERM INT
    compgen -G "$folder/base-*" >/dev/null || bash "$0" base || echo "The base failed." >&2
    while :; do
      sleep "$(seconds_until_next)" &
      wait $!
      bash "$0" base || echo "The base failed." >&2
    done
    ;;
  drill)
    recover "$2"
    count --host="$work"
    ;;
  restore)
    assert_connects
    recover "$2"
    count --host="$work"
    dropdb --if-exists --force lanternbook_restored
    createdb --template=template0 lanternbook_restored
    pg_dump --host="$work" --format=custom --compress=0 "$PGDATABASE" |
      pg_restore --exit-on-error --single-transaction --no-owner --dbname=lanternbook_restored
    psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname=lanternbook_restored --file="$here/after-restore.sql"
    before="lanternbook_before_$(date -u +%Y%m%d_%H%M%S)"
    psql --dbname=postgres --no-psqlrc --set=ON_ERROR_STOP=1 \
      --command="SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '$PGDATABASE'" \
      --command="ALTER DATABASE $PGDATABASE RENAME TO $before" \
      --command="ALTER DATABASE lanternbook_restored RENAME TO $PGDATABASE" >/dev/null
    echo "Restored the database of $2. All users must sign in again, and programs need new tokens."
    echo "The replaced database is now $before. When you no longer need it: docker compose exec database dropdb --username=${PGUSER:-casebook} $before"
    ;;
  *)
    sed -n '2,12p' "$0" >&2
    exit 2
    ;;
esac
