#!/bin/sh
# The first start makes the user and the database, later ones find them.
set -eu
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -e $data/PG_VERSION ]; then
  chown postgres:postgres /var/lib/postgresql
  as_postgres initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 $data
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  # Not from outside yet: the health check must not find it.
  as_postgres pg_ctl -D $data -w start -o '-h "" -k /tmp'
  as_postgres createdb -h /tmp --username="$POSTGRES_USER" "$POSTGRES_DB"
  as_postgres pg_ctl -D $data -w stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D $data -h 0.0.0.0
