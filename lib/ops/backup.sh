#!/bin/bash
# Backups in docker-compose.yml, with PostgreSQL's own tools and gpg, which its image has. PGHOST and the other PG variables
# name the database. Backups are encrypted with BACKUP_PASSPHRASE (or the content of BACKUP_PASSPHRASE_FILE), or with the
# first line of the file BACKUP_KEY_FILE. gpg detects every changed byte.
#   nightly        makes one at BACKUP_AT every day, and removes those older than BACKUP_KEEP_DAYS
#   now            makes one at once; --unencrypted after either: not encrypted, readable by anyone who has the file
#   drill FILE     restores FILE next to the database, counts what is in it, and removes it again
#   restore FILE   restores FILE in place of the database, which stays under another name. Both refuse a file that is not
#                  encrypted, because anyone could have made it, unless --unencrypted follows
set -euo pipefail
umask 077
here=$(cd "$(dirname "$0")" && pwd)
cd "${BACKUP_DIR:-/backups}"

# libpq itself does not read a password from a file like this one.
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat -- "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

# Rows that grant access or count attempts do not survive a restore (after-restore.sql).
not_kept="sessions mails tokens api_tokens recovery_codes reset_requests login_failures idempotency_keys import_parts"

encrypted=yes
[ "${*: -1}" != --unencrypted ] || encrypted=no

passphrase=
read_passphrase() {
  passphrase=${BACKUP_PASSPHRASE:-}
  if [ -n "${BACKUP_PASSPHRASE_FILE:-}" ]; then
    [ -z "$passphrase" ] || refuse "BACKUP_PASSPHRASE_FILE must not be set together with BACKUP_PASSPHRASE."
    passphrase=$(cat -- "$BACKUP_PASSPHRASE_FILE") && [ -n "$passphrase" ] ||
      refuse "BACKUP_PASSPHRASE_FILE must name a readable file that is not empty."
  fi
  if [ -z "${BACKUP_KEY_FILE:-}" ]; then
    [ "${#passphrase}" -ge 16 ] || refuse "BACKUP_PASSPHRASE must have at least 16 characters (openssl rand -hex 24), or BACKUP_KEY_FILE name a file."
    return
  fi
  [ -z "$passphrase" ] || refuse "BACKUP_KEY_FILE and BACKUP_PASSPHRASE are both set: keep the one that backups are encrypted with."
  passphrase=$(head -n 1 -- "$BACKUP_KEY_FILE") || refuse "BACKUP_KEY_FILE $BACKUP_KEY_FILE cannot be read."
  local LC_ALL=C
  [[ "$passphrase" =~ ^[[:print:]]{16,}$ ]] ||
    refuse "The first line of BACKUP_KEY_FILE $BACKUP_KEY_FILE must be at least 16 plain characters (openssl rand -hex 32)."
}

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

# Reads the passphrase from a pipe, so that no process list shows it and no file contains it.
cipher() {
  GNUPGHOME=$(mktemp -d)
  export GNUPGHOME
  local status=0
  gpg --batch --quiet --no-tty --pinentry-mode loopback --passphrase-fd 3 "$@" \
    3< <(printf %s "$passphrase") || status=$?
  gpgconf --kill all
  rm -rf "$GNUPGHOME"
  return "$status"
}

encrypt() {
  if [ "$encrypted" = yes ]; then
    cipher --symmetric --cipher-algo AES256 --s2k-digest-algo SHA512 --s2k-count 65011712 --compress-algo none
  else
    cat
  fi
}

# Prints the dump in a file. gpg confirms only at the end that it was not changed.
decrypt() {
  case "$1" in
    *.gpg | *.gpg.unfinished) cipher --decrypt "$1" ;;
    *) cat "$1" ;;
  esac
}

now() {
  name="lanternbook-$(date -u +%Y-%m-%dT%H%M%SZ)"
  # By this file, Home and /metrics know that a backup failed.
  trap '[ "$?" -eq 0 ] || : >"$name.failed"' EXIT
  file="$name.dump"
  if [ "$encrypted" = yes ]; then
    read_passphrase
    file="$file.gpg"
  fi
  assert_connects
  # The newest seal of the audit trail, which is also in the dump.
  seal=$(psql --no-psqlrc --no-align --tuples-only --command="SELECT format('{\"auditSeal\":{\"id\":%s,\"hmac\":\"%s\"}}', id, encode(hmac, 'hex')) FROM audit_seals ORDER BY id DESC LIMIT 1")
  # shellcheck disable=SC2086 # the names are single words
  pg_dump --format=custom $(printf -- '--exclude-table-data=%s ' $not_kept) | encrypt >"$file.unfinished"
  # A dump that pg_restore cannot read is not a backup.
  decrypt "$file.unfinished" | { pg_restore --list >/dev/null && cat >/dev/null; }
  [ "$encrypted" = yes ] || sha256sum <"$file.unfinished" >"$file.sha256"
  [ -z "$seal" ] || echo "$seal" >"$file.seal"
  mv "$file.unfinished" "$file"
  # find counts whole days: +29 means 30 days old or older.
  # Older backups have the product's former name.
  find . \( -name 'lanternbook-*.dump*' -o -name 'casebook-*.dump*' \) -mtime "+$((BACKUP_KEEP_DAYS - 1))" -delete
  rm -f lanternbook-*.failed
  echo "Saved $file $seal"
  [ "$encrypted" = yes ] || echo "It is NOT encrypted: anyone who has the file can read everything in it." >&2
}

seconds_until_next() {
  # Counted from midnight: on the day the clocks go forward, 02:30 itself may not exist.
  at=$(date -d "00:00 today + ${BACKUP_AT%:*} hours + ${BACKUP_AT#*:} minutes" +%s)
  left=$((at - $(date +%s)))
  [ "$left" -gt 0 ] || left=$((left + 86400))
  echo "$left"
}

assert_whole() {
  if [[ "$1" == *.gpg ]]; then
    read_passphrase
    # gpg also reads a file that was never encrypted. Only its status shows the difference.
    cipher --output /dev/null --status-fd 1 --decrypt "$1" | grep '^\[GNUPG:\] DECRYPTION_OKAY' >/dev/null ||
      refuse "The file is damaged, or BACKUP_PASSPHRASE or BACKUP_KEY_FILE is not the one it was created with: $1"
    return
  fi
  # Anyone who can put a file there can also create its checksum.
  [ "$encrypted" = no ] || [ -z "${BACKUP_PASSPHRASE:-}${BACKUP_PASSPHRASE_FILE:-}${BACKUP_KEY_FILE:-}" ] ||
    refuse "The file is not encrypted, unlike your backups, so anyone may have created it: $1. If you trust its source, add --unencrypted."
  echo "The file is not encrypted, so someone may have changed it." >&2
  # pg_restore does not detect every changed byte.
  if [ ! -e "$1.sha256" ]; then
    echo "There is no $1.sha256, so the file cannot be checked for damage." >&2
  elif [ "$(sha256sum <"$1")" != "$(cat "$1.sha256")" ]; then
    refuse "The file is damaged: $1"
  fi
}

load() {
  assert_whole "$1"
  assert_connects
  dropdb --if-exists --force "$2"
  createdb --template=template0 "$2"
  decrypt "$1" | pg_restore --exit-on-error --single-transaction --no-owner --dbname="$2"
  psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname="$2" --file="$here/after-restore.sql"
}

case "${1:-}" in
  nightly)
    trap exit TERM INT
    [ "$encrypted" = no ] || read_passphrase
    [ -e .since ] || touch .since
    while :; do
      sleep "$(seconds_until_next)" &
      wait $!
      # A separate process: bash ignores `set -e` in a command that may fail.
      bash "$here/$(basename "$0")" now "${@:2}" || echo "The backup failed." >&2
    done
    ;;
  now) now ;;
  drill)
    load "$2" lanternbook_drill
    # On a terminal, a pager would wait for a key.
    psql --pset=pager=off --dbname=lanternbook_drill --command="SELECT (SELECT count(*) FROM clients) AS clients, (SELECT count(*) FROM forms) AS forms, (SELECT max(at) FROM audit_events) AS last_change"
    dropdb --force lanternbook_drill
    ;;
  restore)
    load "$2" lanternbook_restored
    before="lanternbook_before_$(date -u +%Y%m%d_%H%M%S)"
    psql --dbname=postgres --set=ON_ERROR_STOP=1 \
      --command="SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '$PGDATABASE'" \
      --command="ALTER DATABASE $PGDATABASE RENAME TO $before" \
      --command="ALTER DATABASE lanternbook_restored RENAME TO $PGDATABASE" >/dev/null
    echo "Restored $2. Everyone must sign in again, and programs need new tokens."
    echo "Start with the AUTH_SECRET of the server that made the backup. With another one, users with two-step sign-in cannot sign in,"
    echo "and a repeated import adds its records a second time. See docs/operate/backup-and-restore.md, Without the old AUTH_SECRET."
    echo "The replaced database is now $before. When you no longer need it: docker compose exec database dropdb --username=${PGUSER:-casebook} $before"
    ;;
  *)
    sed -n '2,9p' "$0" >&2
    exit 2
    ;;
esac
