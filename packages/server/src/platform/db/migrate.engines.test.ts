import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase, type TestDatabase } from '@millpond/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrate, pendingMigrations } from './migrate.ts';

let database: TestDatabase;
let pool: pg.Pool;
const start = async () => {
  database = await createDatabase('migrate');
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on('connect', (client) => client.on('error', () => undefined));
};
const end = async () => {
  await pool.end();
  await database.drop();
};
const folders: string[] = [];
/** Migrations of the test's own, those of the schema that it migrates. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-migrations-'));
  folders.push(folder);
  for (const schema of ['control', 'region']) {
    await mkdir(path.join(folder, schema));
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, schema, file), text);
  }
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
const startAgain = () => end().then(start);
beforeEach(start);
afterEach(end);

async function recorded(schema: string): Promise<string[]> {
  const { rows } = await pool.query<{ file: string }>(
    `SELECT file FROM ${schema}.migrations ORDER BY applied_at, file`,
  );
  return rows.map((row) => row.file);
}

async function waiting(): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
}

describe('migrating', () => {
  test('an empty database applies every file in order, and nothing the second time', async () => {
    const pending = await pendingMigrations(pool, 'region');
    expect(pending[0]).toBe('0001_baseline.sql');
    const applied = await migrate(database.url, 'region');
    expect(applied).toEqual(pending.map((file) => ({ schema: 'region', file })));
    expect(await recorded('region')).toEqual(pending);
    expect(await pendingMigrations(pool, 'region')).toEqual([]);
    expect(await migrate(database.url, 'region')).toEqual([]);
    expect(await recorded('region')).toEqual(pending);
  });

  test('by several deployers at once applies each file once', async () => {
    const pending = await pendingMigrations(pool, 'control');
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, 'control')));
    expect(applied.flat().map((migration) => migration.file)).toEqual(pending);
    expect(applied.filter((files) => files.length > 0)).toHaveLength(1);
    expect(await recorded('control')).toEqual(pending);
  });

  test('both schemas may share a database', async () => {
    await Promise.all([migrate(database.url, 'control'), migrate(database.url, 'region')]);
    for (const schema of ['control', 'region'] as const)
      expect(await pendingMigrations(pool, schema)).toEqual([]);
  });

  describe('a database that a development version made', () => {
    beforeEach(async () => {
      await migrate(database.url, 'control', {
        folder: await folderWith({ '0001_accounts_and_buckets.sql': '' }),
      });
    });
    const sentence =
      /^the schema control was made by a development version before 0\.2\.0 \(0001_accounts_and_buckets\.sql\), and nothing migrates it: give this version empty databases .*`millpond sync`/;

    test('is refused with what to do, and stays as it is', async () => {
      await expect(migrate(database.url, 'control')).rejects.toThrow(sentence);
      expect(await recorded('control')).toEqual(['0001_accounts_and_buckets.sql']);
      const { rows } = await pool.query(`SELECT to_regclass('control.accounts') AS accounts`);
      expect(rows).toEqual([{ accounts: null }]);
    });

    test('is not said to be behind', async () => {
      await expect(pendingMigrations(pool, 'control')).rejects.toThrow(sentence);
    });
  });

  describe('with three files', () => {
    const files = {
      '0001_one.sql': 'CREATE TABLE region.steps (step integer)',
      '0002_two.sql': 'INSERT INTO region.steps VALUES (2)',
      '0003_three.sql': 'INSERT INTO region.steps SELECT step + 1 FROM region.steps',
    };
    const names = Object.keys(files);
    const applied = (...some: string[]) => some.map((file) => ({ schema: 'region', file }));
    const steps = async () =>
      (await pool.query<{ step: number }>('SELECT step FROM region.steps ORDER BY step')).rows.map(
        ({ step }) => step,
      );

    test('applies them in order, and nothing the second time', async () => {
      const folder = await folderWith(files);
      expect(await pendingMigrations(pool, 'region', folder)).toEqual(names);
      expect(await migrate(database.url, 'region', { folder })).toEqual(applied(...names));
      expect(await steps()).toEqual([2, 3]);
      expect(await recorded('region')).toEqual(names);
      expect(await pendingMigrations(pool, 'region', folder)).toEqual([]);
      expect(await migrate(database.url, 'region', { folder })).toEqual([]);
      expect(await steps()).toEqual([2, 3]);
    });

    test('applies what is new, and leaves alone what a newer version has applied', async () => {
      const { '0003_three.sql': _, ...older } = files;
      const [old, whole] = [await folderWith(older), await folderWith(files)];
      await migrate(database.url, 'region', { folder: old });
      expect(await pendingMigrations(pool, 'region', whole)).toEqual(['0003_three.sql']);
      expect(await migrate(database.url, 'region', { folder: whole })).toEqual(applied('0003_three.sql'));
      expect(await pendingMigrations(pool, 'region', old)).toEqual([]);
      expect(await migrate(database.url, 'region', { folder: old })).toEqual([]);
    });

    test('by several deployers at once applies each once', async () => {
      const folder = await folderWith(files);
      const each = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, 'region', { folder })));
      expect(each.flat()).toEqual(applied(...names));
      expect(await steps()).toEqual([2, 3]);
    });

    test('refuses one that was changed after it was applied, and applies none after it', async () => {
      const { '0003_three.sql': _, ...two } = files;
      await migrate(database.url, 'region', { folder: await folderWith(two) });
      const folder = await folderWith({ ...files, '0002_two.sql': 'INSERT INTO region.steps VALUES (7)' });
      await expect(migrate(database.url, 'region', { folder })).rejects.toThrow(
        'migration region/0002_two.sql was changed after it was applied',
      );
      expect(await steps()).toEqual([2]);
      expect(await recorded('region')).toEqual(Object.keys(two));
    });

    test('where one fails keeps those before it and nothing of itself, and can be repeated', async () => {
      const broken = 'INSERT INTO region.steps VALUES (2); SELECT 1 / 0';
      const folder = await folderWith({ ...files, '0002_two.sql': broken });
      await expect(migrate(database.url, 'region', { folder })).rejects.toThrow(
        'migration region/0002_two.sql failed: division by zero',
      );
      expect(await recorded('region')).toEqual(['0001_one.sql']);
      expect(await steps()).toEqual([]);
      const mended = await folderWith(files);
      expect(await migrate(database.url, 'region', { folder: mended })).toEqual(
        applied('0002_two.sql', '0003_three.sql'),
      );
    });

    test('has a file that is none of them left out', async () => {
      const folder = await folderWith({
        ...files,
        '0002_two.sql.orig': 'SELECT 1 / 0',
        'README.md': 'no SQL',
      });
      expect(await migrate(database.url, 'region', { folder })).toEqual(applied(...names));
    });
  });

  describe('while somebody holds a table', () => {
    const patience = { lockMs: 200, pauseMs: 100, inAllMs: 60_000 };
    let holder: pg.Client;
    let other: pg.Client;
    beforeEach(async () => {
      await pool.query('CREATE SCHEMA region');
      await pool.query(
        'CREATE TABLE region.migrations (file text PRIMARY KEY, checksum text, applied_at timestamptz DEFAULT now())',
      );
      [holder, other] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [
        pg.Client,
        pg.Client,
      ];
      for (const client of [holder, other]) {
        await client.connect();
        await client.query('BEGIN');
      }
      await holder.query('LOCK TABLE region.migrations IN SHARE MODE');
    });
    afterEach(() => Promise.all([holder.end(), other.end()]));

    test('lets others through, and is done when it is let go', async () => {
      const migrating = migrate(database.url, 'region', { timeouts: patience });
      await vi.waitUntil(async () => (await waiting()) > 0, { timeout: 300_000 });
      // This would stand behind it for as long as the holder likes.
      await other.query('LOCK TABLE region.migrations IN SHARE MODE');
      await Promise.all([holder, other].map((client) => client.query('COMMIT')));
      expect((await migrating).length).toBeGreaterThan(0);
      expect(await pendingMigrations(pool, 'region')).toEqual([]);
    });

    test('gives up when it takes too long, and says who may be the cause', async () => {
      const giving = migrate(database.url, 'region', {
        timeouts: { ...patience, inAllMs: 0 },
      });
      await expect(giving).rejects.toThrow(
        'Something has locked its tables, such as a backup or a long query',
      );
      expect(await recorded('region')).toEqual([]);
    });
  });

  test('that waits for somebody who waits for it gives way, and is tried again', async () => {
    // PostgreSQL ends the one who has waited for a second when it looks: on a slow machine that may be the other.
    while (!(await meets())) await startAgain();
    expect(await pendingMigrations(pool, 'region')).toEqual([]);
  });

  /** Whether the change gave way to somebody in whose way it stands. */
  async function meets(): Promise<boolean> {
    await pool.query('CREATE SCHEMA region');
    await pool.query(
      'CREATE TABLE region.migrations (file text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('CREATE TABLE region.trash (x int)');
      const migrating = migrate(database.url, 'region', {
        timeouts: { lockMs: 600_000, pauseMs: 100, inAllMs: 600_000 },
      });
      await vi.waitUntil(async () => (await waiting()) > 0, { timeout: 300_000 });
      // It may fail before anybody asks how it ended.
      migrating.catch(() => undefined);
      const hasLock = await other.query('LOCK TABLE region.migrations IN SHARE MODE').then(
        () => true,
        () => false,
      );
      await other.query('ROLLBACK');
      expect((await migrating).length).toBeGreaterThan(0);
      return hasLock;
    } finally {
      await other.end();
    }
  }

  test('that fails half-way leaves nothing of the baseline, and can be repeated', async () => {
    const files = await pendingMigrations(pool, 'region');
    // What stands in the way of the first file.
    await pool.query('CREATE SCHEMA region');
    await pool.query('CREATE TABLE region.trash (x int)');
    await expect(migrate(database.url, 'region')).rejects.toThrow(`migration region/${files[0]} failed`);
    expect(await recorded('region')).toEqual([]);
    const { rows } = await pool.query(`SELECT to_regclass('region.objects') AS objects`);
    expect(rows).toEqual([{ objects: null }]);
    await pool.query('DROP TABLE region.trash');
    expect(await migrate(database.url, 'region')).toHaveLength(files.length);
  });
});
