/** What to do where an engine does not work, for `millpond doctor` and for the console. */

export const COLD_CLASS_HINT =
  'docs/ceph.md has the commands that create it; or set MILLPOND_S3_COLD_CLASS to another class, or to STANDARD if the engine has only one';

export const BLOB_STORE_HINTS: Readonly<Record<'s3' | 'disk', string>> = {
  s3: 'check MILLPOND_S3_ENDPOINT, the keys, and that the engine runs; a new engine needs `millpond migrate` once',
  disk: 'check MILLPOND_DISK_ROOT, its permissions and its free space; a new folder needs `millpond migrate` once',
};

export function databaseHint(setting: string): string {
  return `start PostgreSQL, or correct ${setting}; from this machine: psql "$${setting}" -c 'select 1'`;
}

export function standbyHint(setting: string): string {
  return `name the primary in ${setting}, or all hosts, of which it is found: postgres://user:password@a:5432,b:5432/name; see docs/high-availability.md`;
}

export const SYNC_COMMIT_HINT =
  'set synchronous_commit = on in postgresql.conf and reload it; a role or a database may have a setting of its own';

export const TO_UTF8 =
  "create another database, CREATE DATABASE … ENCODING UTF8 LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0, and restore a dump into it; see docs/production.md#the-database";

export const RTMP_ENGINE_HINT =
  'start it, or correct MILLPOND_LIVE_ENGINES or MILLPOND_LIVE_HOOK_SECRET; see docs/live.md';

export const SIP_PORT_HINT =
  'start a process with the role live, which listens there: millpond serve, or millpond work --only live';
