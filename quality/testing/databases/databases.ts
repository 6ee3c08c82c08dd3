/** Throw-away databases on the PostgreSQL that `npm run engines -- up` started, or on another. */
import { randomBytes } from 'node:crypto';
import { readEnginesEnv } from '@millpond/engines';
import pg from 'pg';

const DROP_TRIES = 20;
const ENDING_TRIES = 50;

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database, or a copy of `template`, with its own name. An empty one can have a locale of its own. */
export async function createDatabase(
  purpose: string,
  template?: string,
  server = enginesServer(),
  locale?: string,
): Promise<TestDatabase> {
  const name = `t_${purpose}_${randomBytes(5).toString('hex')}`;
  const from = template ?? (locale === undefined ? undefined : 'template0');
  const options = [
    ...(from === undefined ? [] : [`TEMPLATE ${from}`]),
    ...(locale === undefined ? [] : [`LOCALE_PROVIDER libc LC_COLLATE '${locale}' LC_CTYPE '${locale}'`]),
  ];
  await onServer(server, `CREATE DATABASE ${name} ${options.join(' ')}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => dropDatabase(server, name),
  };
}

export async function databaseExists(name: string, server: string): Promise<boolean> {
  return (await onServer(server, `SELECT FROM pg_database WHERE datname = '${name}'`)) > 0;
}

/** Gives a database a lasting name; if another process was first, this one is dropped. */
export async function adoptDatabase(database: TestDatabase, name: string, server: string): Promise<void> {
  try {
    await onServer(server, `ALTER DATABASE ${database.name} RENAME TO ${name}`);
  } catch (error) {
    await database.drop();
    if (!(await databaseExists(name, server))) throw error;
  }
}

/** We can't terminate the server's own vacuum, but it finishes in a moment. */
async function dropDatabase(server: string, name: string): Promise<void> {
  await untilLeft(server, name);
  for (let tries = 1; ; tries++) {
    try {
      await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const isOthers = (error as { code?: string }).code === '42501';
      if (!isOthers || tries === DROP_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** A closed pool is still saying goodbye: if terminated in that moment, its connection would fail with nobody to handle it. */
async function untilLeft(server: string, name: string): Promise<void> {
  const connected = `SELECT FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'`;
  for (let tries = 0; tries < ENDING_TRIES && (await onServer(server, connected)) > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A database of the engines' server. */
export function enginesServer(): string {
  const url = readEnginesEnv().MILLPOND_CONTROL_DB;
  if (url === undefined) throw new Error('the engines are not up: run `npm run engines -- up`');
  return url;
}

/** The number of rows. */
async function onServer(server: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
