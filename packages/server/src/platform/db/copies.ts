/** Creates whole databases, and recreates them from another. For development, where a clean state is wanted between tests. */
import type pg from 'pg';
import { openClient } from './client.ts';

const NAME = /^[a-z_]{1,40}$/;

/** `url` is that of another database on the same server. */
export async function createDatabase(url: string, name: string): Promise<void> {
  await onServer(url, (client) => client.query(`CREATE DATABASE ${checked(name)}`));
}

/** Makes `target` an exact copy of `source`; nobody may be connected to `source`. */
export async function copyDatabase(url: string, source: string, target: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${checked(target)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${checked(target)} TEMPLATE ${checked(source)}`);
  });
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await openClient(url, { application_name: 'millpond copies', connectionTimeoutMillis: 0 });
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function checked(name: string): string {
  if (!NAME.test(name)) throw new Error(`not a name for a database: ${name}`);
  return name;
}
