/**
 * Forward-only numbered SQL files, each applied once in its own transaction, under a lock so that several deployers
 * may run at the same time. A file that changed after it was applied is refused: fix forward with a new one.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

export type SchemaName = 'control' | 'region';

export interface AppliedMigration {
  readonly schema: SchemaName;
  readonly file: string;
}

const FOLDER = path.join(import.meta.dirname, '../../../migrations');
const PACKAGE = path.join(import.meta.dirname, '../../../package.json');
/** Any constant will do; it only has to be the same in every deployer. */
const LOCK = 0x6d_70_6f_6e;

export async function migrate(url: string, schema: SchemaName): Promise<AppliedMigration[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'millpond migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (
      file text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const known = await client.query<{ file: string; checksum: string }>(
      `SELECT file, checksum FROM ${schema}.migrations`,
    );
    const checksums = new Map(known.rows.map((row) => [row.file, row.checksum]));
    const applied: AppliedMigration[] = [];
    for (const { file, text, checksum } of await migrationFiles(schema)) {
      const before = checksums.get(file);
      if (before === checksum) continue;
      if (before !== undefined)
        throw new Error(`migration ${schema}/${file} was changed after it was applied`);
      await apply(client, schema, file, text, checksum);
      applied.push({ schema, file });
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** The same for databases that are alike: by the migrations, and by what is installed (the queue has tables of its own). */
export async function schemaVersion(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(PACKAGE));
  for (const schema of ['control', 'region'] as const)
    for (const { file, checksum } of await migrationFiles(schema)) hash.update(`${file} ${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** Files that the database has not seen yet; empty when it is up to date. */
export async function pendingMigrations(db: pg.Pool, schema: SchemaName): Promise<string[]> {
  const present = await db.query<{ present: boolean }>('SELECT to_regclass($1) IS NOT NULL AS present', [
    `${schema}.migrations`,
  ]);
  const files = (await migrationFiles(schema)).map((migration) => migration.file);
  if (!present.rows[0]?.present) return files;
  const known = await db.query<{ file: string }>(`SELECT file FROM ${schema}.migrations`);
  const seen = new Set(known.rows.map((row) => row.file));
  return files.filter((file) => !seen.has(file));
}

async function apply(
  client: pg.Client,
  schema: SchemaName,
  file: string,
  text: string,
  checksum: string,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`INSERT INTO ${schema}.migrations (file, checksum) VALUES ($1, $2)`, [file, checksum]);
    await client.query(text);
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${schema}/${file} failed: ${(cause as Error).message}`, { cause });
  }
}

async function migrationFiles(
  schema: SchemaName,
): Promise<{ file: string; text: string; checksum: string }[]> {
  const folder = path.join(FOLDER, schema);
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z_]+\.sql$/.test(file)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8');
      return { file, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
