/**
 * What a black-box test can't do with calls: let months pass for tokens, create thousands of accounts, look at what is
 * stored. Changes rows of the control database behind the server's back.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';

const MAX_DUMP_BYTES = 1024 ** 3;

export interface ControlDatabase {
  /** Moves back all times of an account's tokens. */
  passDays(uid: number, days: number): Promise<void>;
  passSeconds(uid: number, seconds: number): Promise<void>;
  /** Days from now until the refresh tokens of an account expire. */
  refreshDaysLeft(uid: number): Promise<number[]>;
  /** Children that nobody can log in to; their uids, ascending. */
  addChildren(parentUid: number, count: number): Promise<number[]>;
  passwordHash(uid: number): Promise<string>;
  /** Anything that needs a webhook secret that is not at hand waits until the lock is released; `waiting` says how many do. */
  lockWebhookSecrets(): Promise<{ waiting(): Promise<number>; release(): Promise<void> }>;
  /** Binds a host name at which downloads of a bucket are served. */
  bindDomain(domain: string, bucket: string): Promise<void>;
  close(): Promise<void>;
}

export async function openControlDatabase(url: string): Promise<ControlDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const passSeconds = async (uid: number, seconds: number) => {
    await client.query(
      `UPDATE control.access_tokens SET expires_at = expires_at - $2 * interval '1 second'
       WHERE family_id IN (SELECT family_id FROM control.token_families WHERE uid = $1)`,
      [uid, seconds],
    );
    await client.query(
      `UPDATE control.token_families SET expires_at = expires_at - $2 * interval '1 second',
         previous_until = previous_until - $2 * interval '1 second' WHERE uid = $1`,
      [uid, seconds],
    );
  };
  return {
    passSeconds,
    passDays: (uid, days) => passSeconds(uid, days * 86_400),
    async refreshDaysLeft(uid) {
      const { rows } = await client.query<{ days: string }>(
        `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM control.token_families WHERE uid = $1`,
        [uid],
      );
      return rows.map((row) => Number(row.days));
    },
    async addChildren(parentUid, count) {
      const { rows } = await client.query<{ uid: string }>(
        `INSERT INTO control.accounts (email, parent_uid)
         SELECT format('child-%s-of-%s@example.com', n, $1::bigint), $1 FROM generate_series(1, $2::int) n RETURNING uid`,
        [parentUid, count],
      );
      return rows.map((row) => Number(row.uid)).toSorted((a, b) => a - b);
    },
    async passwordHash(uid) {
      const { rows } = await client.query<{ password_hash: string }>(
        'SELECT password_hash FROM control.accounts WHERE uid = $1',
        [uid],
      );
      return rows[0]?.password_hash ?? '';
    },
    async lockWebhookSecrets() {
      await client.query('BEGIN');
      await client.query('LOCK TABLE control.webhook_secrets IN ACCESS EXCLUSIVE MODE');
      return {
        async waiting() {
          const { rows } = await client.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'control.webhook_secrets'::regclass`,
          );
          return rows[0]?.count ?? 0;
        },
        async release() {
          await client.query('COMMIT');
        },
      };
    },
    async bindDomain(domain, bucket) {
      await client.query(
        'INSERT INTO control.domains SELECT $1, bucket_id FROM control.buckets WHERE name = $2',
        [domain, bucket],
      );
    },
    close: () => client.end(),
  };
}

/** Everything that a backup of a database would hold, as text. */
export async function dumpDatabase(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('pg_dump', [url], { maxBuffer: MAX_DUMP_BYTES });
  return stdout;
}
