import { readFile } from 'node:fs/promises';
import { createDatabase } from '@millpond/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaFiles, schemaText } from './schema-text.ts';

test('packages/server/schema says what the migrations make', async () => {
  for (const [file, text] of await schemaFiles())
    expect(await readFile(file, 'utf8'), 'the migrations make something else: run `npm run schema`').toBe(
      text,
    );
});

test('every function and every trigger has a sentence that says what it is for', async () => {
  const missing = [...(await schemaFiles()).values()].flatMap((text) =>
    [...text.matchAll(/^COMMENT ON (.*) IS NULL;$/gm)].map(([, name]) => name),
  );
  expect(
    missing,
    'give each a COMMENT ON in its migration, then run `npm run schema` and `npm run docs`',
  ).toEqual([]);
});

describe('the writer', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase('writer');
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });
  /** Without the two lines that every text begins with. */
  const written = async (sql: string) => {
    await client.query(`DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s; ${sql}`);
    return (await schemaText(database.url, ['s'])).split('\n').slice(3).join('\n').trimEnd();
  };

  test('writes a table with all that belongs to it', async () => {
    const text = await written(`
      CREATE TABLE s.b (id bigint PRIMARY KEY);
      CREATE TABLE s.a (
        n integer GENERATED ALWAYS AS IDENTITY (START WITH 7), word text COLLATE "C" NOT NULL DEFAULT 'x' CHECK (word <> ''),
        b bigint REFERENCES s.b ON DELETE CASCADE, at timestamptz, twice bigint GENERATED ALWAYS AS (b * 2) STORED, UNIQUE (word)
      ) WITH (fillfactor = 70);
      CREATE INDEX a_at ON s.a (at) WHERE at IS NOT NULL;
      INSERT INTO s.a (word) VALUES ('one');`);
    expect(text).toBe(
      `CREATE TABLE s.a (
  n     integer     NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH 7),
  word  text        COLLATE "C" NOT NULL DEFAULT 'x'::text,
  b     bigint,
  at    timestamptz,
  twice bigint      GENERATED ALWAYS AS ((b * 2)) STORED,
  CONSTRAINT a_word_key UNIQUE (word),
  CONSTRAINT a_b_fkey FOREIGN KEY (b) REFERENCES s.b(id) ON DELETE CASCADE,
  CONSTRAINT a_word_check CHECK ((word <> ''::text))
) WITH (fillfactor = 70);
-- One row is in it from the beginning.
CREATE INDEX a_at ON s.a (at) WHERE (at IS NOT NULL);

CREATE TABLE s.b (
  id bigint NOT NULL,
  CONSTRAINT b_pkey PRIMARY KEY (id)
);`,
    );
  });

  test('writes functions and triggers with their sentences, and says where one is missing', async () => {
    const text = await written(`
      CREATE TABLE s.t (x int);
      CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
BEGIN
  RETURN NULL;
END $$;
      COMMENT ON FUNCTION s.f() IS 'Does it''s work.';
      CREATE TRIGGER t_changed AFTER UPDATE ON s.t FOR EACH ROW WHEN (NEW.x > 0) EXECUTE FUNCTION s.f();
      CREATE AGGREGATE s.total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0');`);
    expect(text).toBe(
      `CREATE TABLE s.t (
  x integer
);
CREATE TRIGGER t_changed AFTER UPDATE ON s.t
  FOR EACH ROW
  WHEN ((new.x > 0))
  EXECUTE FUNCTION s.f();
COMMENT ON TRIGGER t_changed ON s.t IS NULL;

CREATE FUNCTION s.f()
RETURNS trigger
LANGUAGE plpgsql
SET lock_timeout TO '2s'
AS $$
BEGIN
  RETURN NULL;
END $$;
COMMENT ON FUNCTION s.f() IS 'Does it''s work.';

CREATE AGGREGATE s.total(integer) (SFUNC = int4pl, STYPE = integer, INITCOND = '0');
COMMENT ON AGGREGATE s.total(integer) IS NULL;`,
    );
  });

  test('leaves out partitions of days, and sums up those that differ by a number', async () => {
    const text = await written(`
      CREATE TABLE s.d (at timestamptz) PARTITION BY RANGE (at);
      CREATE TABLE s.d_default PARTITION OF s.d DEFAULT;
      CREATE TABLE s.d_20260101 PARTITION OF s.d FOR VALUES FROM ('2026-01-01 00:00+00') TO ('2026-01-02 00:00+00');
      CREATE TABLE s.h (n int) PARTITION BY HASH (n);
      CREATE TABLE s.h_0 PARTITION OF s.h FOR VALUES WITH (MODULUS 3, REMAINDER 0) WITH (fillfactor = 50);
      CREATE TABLE s.h_1 PARTITION OF s.h FOR VALUES WITH (MODULUS 3, REMAINDER 1) WITH (fillfactor = 50);
      CREATE TABLE s.h_2 PARTITION OF s.h FOR VALUES WITH (MODULUS 3, REMAINDER 2) WITH (fillfactor = 50);`);
    expect(text.split('\n').filter((line) => /PARTITION|^--/.test(line))).toEqual([
      ') PARTITION BY RANGE (at);',
      'CREATE TABLE s.d_default PARTITION OF s.d DEFAULT;',
      ') PARTITION BY HASH (n);',
      'CREATE TABLE s.h_0 PARTITION OF s.h FOR VALUES WITH (modulus 3, remainder 0) WITH (fillfactor = 50);',
      '-- and so on, 3 in all, to',
      'CREATE TABLE s.h_2 PARTITION OF s.h FOR VALUES WITH (modulus 3, remainder 2) WITH (fillfactor = 50);',
    ]);
  });

  test.each(['CREATE VIEW s.v AS SELECT 1 AS one', "CREATE TYPE s.e AS ENUM ('a')", 'CREATE SEQUENCE s.q'])(
    'refuses what it would leave out: %s',
    async (sql) => {
      await expect(written(sql)).rejects.toThrow(/does not know \w+ s\.\w$/);
    },
  );
});
