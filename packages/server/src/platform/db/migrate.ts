/**
 * Forward-only numbered SQL files, each applied once in its own transaction, under a lock so that several deployers may run at
 * the same time. A file that changed after it was applied is refused: fix forward with a new one.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from './client.ts';
import { isSqlState } from './sqlstate.ts';

export type SchemaName = 'control' | 'region';

export interface AppliedMigration {
  readonly schema: SchemaName;
  readonly file: string;
}

interface MigrationFile {
  readonly file: string;
  readonly text: string;
  readonly checksum: string;
}

/** With a folder for each schema. */
const FOLDER = path.join(import.meta.dirname, '../../../migrations');
/** Any constant will do; it only has to be the same in every deployer. */
const LOCK = 0x6d_70_6f_6e;

export interface MigrationTimeouts {
  /**
   * How long a change may wait for its table lock: everyone who comes later queues behind it. Less than the second after which PostgreSQL looks for
   * deadlocks: of a change and a request that wait for each other, the change gives way, and the request does not fail.
   */
  readonly lockMs: number;
  readonly pauseMs: number;
  /** How long to keep trying while somebody, such as a backup, keeps the tables in use. */
  readonly inAllMs: number;
}
const PATIENCE: MigrationTimeouts = { lockMs: 500, pauseMs: 3_000, inAllMs: 600_000 };

interface MigrationOptions {
  readonly timeouts?: MigrationTimeouts;
  /** Tests have migrations of their own. */
  readonly folder?: string;
}

/** The database was made by a development version: the migrations that it has seen are not there any more. */
export class EarlierDatabaseError extends Error {
  readonly problem: string;
  readonly remedy: string;

  constructor(schema: SchemaName, file: string) {
    const problem = `the schema ${schema} was made by a development version before 0.2.0 (${file}), and nothing migrates it`;
    const remedy =
      'give this version empty databases and a blob store of its own, run the version before beside it, and copy the objects with `millpond sync` or by S3, such as with rclone';
    super(`${problem}: ${remedy}`);
    this.problem = problem;
    this.remedy = remedy;
  }
}

export async function migrate(
  url: string,
  schema: SchemaName,
  { timeouts = PATIENCE, folder = FOLDER }: MigrationOptions = {},
): Promise<AppliedMigration[]> {
  const client = await openClient(url, { application_name: 'millpond migrate', connectionTimeoutMillis: 0 });
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (
      file text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const known = await client.query<{ file: string; checksum: string }>(
      `SELECT file, checksum FROM ${schema}.migrations`,
    );
    const checksums = new Map(known.rows.map((row) => [row.file, row.checksum]));
    const files = await migrationFiles(schema, folder);
    assertSameOrigin(schema, files, [...checksums.keys()]);
    const applied: AppliedMigration[] = [];
    for (const { file, text, checksum } of files) {
      const before = checksums.get(file);
      if (before === checksum) continue;
      if (before !== undefined)
        throw new Error(`migration ${schema}/${file} was changed after it was applied`);
      await applyPatiently(client, schema, { file, text, checksum }, timeouts);
      applied.push({ schema, file });
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Whatever was applied begins with our first file. */
function assertSameOrigin(
  schema: SchemaName,
  [first]: readonly MigrationFile[],
  applied: readonly string[],
): void {
  const [other] = applied.toSorted();
  if (first !== undefined && other !== undefined && !applied.includes(first.file))
    throw new EarlierDatabaseError(schema, other);
}

/** Equal for databases with the same schema. */
export async function schemaVersion(): Promise<string> {
  const hash = createHash('sha256');
  for (const schema of ['control', 'region'] as const)
    for (const { file, checksum } of await migrationFiles(schema, FOLDER))
      hash.update(`${file} ${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** Files that the database has not seen yet; empty when it is up to date. */
export async function pendingMigrations(
  db: pg.Pool,
  schema: SchemaName,
  folder: string = FOLDER,
): Promise<string[]> {
  const present = await db.query<{ present: boolean }>('SELECT to_regclass($1) IS NOT NULL AS present', [
    `${schema}.migrations`,
  ]);
  const files = await migrationFiles(schema, folder);
  const known = present.rows[0]?.present
    ? await db.query<{ file: string }>(`SELECT file FROM ${schema}.migrations`)
    : { rows: [] };
  const seen = known.rows.map((row) => row.file);
  assertSameOrigin(schema, files, seen);
  return files.map(({ file }) => file).filter((file) => !seen.includes(file));
}

/**
 * A table change waits for the table's readers, and everyone else queues behind it: so it tries with a short lock time-out, and
 * retries.
 */
async function applyPatiently(
  client: pg.Client,
  schema: SchemaName,
  migration: MigrationFile,
  { lockMs, pauseMs, inAllMs }: MigrationTimeouts,
): Promise<void> {
  const end = performance.now() + inAllMs;
  for (;;) {
    try {
      return await apply(client, schema, migration, lockMs);
    } catch (cause) {
      const { message } = cause as Error;
      const isBusy = isSqlState(cause, 'lockNotAvailable') || isSqlState(cause, 'deadlock');
      if (isBusy && performance.now() < end) {
        await sleep(pauseMs);
        continue;
      }
      const remedy = isBusy
        ? '. Something has locked its tables, such as a backup or a long query: find it in pg_stat_activity, then run this again'
        : '';
      throw new Error(`migration ${schema}/${migration.file} failed: ${message}${remedy}`, { cause });
    }
  }
}

async function apply(
  client: pg.Client,
  schema: SchemaName,
  { file, text, checksum }: MigrationFile,
  lockMs: number,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockMs}`);
    await client.query(`INSERT INTO ${schema}.migrations (file, checksum) VALUES ($1, $2)`, [file, checksum]);
    await client.query(text);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function migrationFiles(schema: SchemaName, root: string): Promise<MigrationFile[]> {
  const folder = path.join(root, schema);
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8');
      return { file, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
