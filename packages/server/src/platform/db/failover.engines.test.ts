// @module-tag debian
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { openLog } from '@millpond/base';
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import { Fault } from '@millpond/protocol';
import { freePort } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openClient } from './client.ts';
import { Database, statement } from './database.ts';

const insert = statement('test-insert', 'INSERT INTO kept VALUES ($1)');
const count = statement('test-count', 'SELECT count(*)::int AS count FROM kept');
const port = statement('test-port', `SELECT current_setting('port')::int AS port`);
const wait = statement('test-wait', 'SELECT pg_sleep(600)');

let primary: SparePostgres;
let standby: SparePostgres;

beforeAll(async () => {
  primary = await startSparePostgres(await freePort());
  const client = await openClient(primary.url, {});
  await client.query('CREATE TABLE kept (n int)');
  await client.end();
  standby = await primary.standby(await freePort());
}, 120_000);
afterAll(async () => {
  await standby?.destroy();
  await primary?.destroy();
}, 60_000);

function open(url: string): Database {
  const database = new Database({
    url,
    connections: 4,
    timeoutMs: 60_000,
    applicationName: 'failover test',
    log: openLog('silent'),
  });
  onTestFinished(() => database.close());
  return database;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** One URL with these hosts, in this order. */
function listOf(...urls: string[]): string {
  const url = new URL(primary.url);
  const hosts = urls.map((each) => new URL(each).host).join(',');
  return `postgres://${url.username}:${url.password}@${hosts}${url.pathname}?target_session_attrs=read-write`;
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error('no fault was thrown', { cause: error });
  return error;
}

/** Takes connections and never says a word, like a machine that hangs. */
async function openSilent(): Promise<string> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return `postgres://127.0.0.1:${port}`;
}

describe('a standby', () => {
  test('is no database to work on: no connection to it is kept, and it is not ready', async () => {
    const database = open(standby.url);
    await expect(database.ping()).rejects.toThrow(/127\.0\.0\.1:\d+ is a standby/);
    const fault = await faultOf(database.query(count, []));
    expect([fault.fault, fault.message]).toEqual(['serverFailure', 'no database connection']);
    expect(database.pool.totalCount).toBe(0);
    await expect(openClient(standby.url, {})).rejects.toThrow('is a standby');
  });

  test('is looked at with target_session_attrs=any', async () => {
    const client = await openClient(`${standby.url}?target_session_attrs=any`, {});
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
    await client.end();
    expect(rows).toEqual([{ standby: true }]);
  });

  test('that nothing told us of is left at its first refusal of a write, and is not ready', async () => {
    // As a pooler does, which keeps to itself what it is connected to.
    const database = open(`${standby.url}?target_session_attrs=any`);
    await expect(database.ping()).rejects.toThrow('takes no writes');
    const fault = await faultOf(database.transaction((transaction) => transaction.query(insert, [1])));
    expect(fault.message).toBe('database: 25006');
    expect(database.pool.totalCount).toBe(0);
  });
});

describe('transactions that are read-only by default', () => {
  test('take a connection out of use; a single statement waits and then runs', async () => {
    const admin = await openClient(`${primary.url}?target_session_attrs=any`, {});
    onTestFinished(() => admin.end());
    const name = new URL(primary.url).pathname.slice(1);
    const database = open(primary.url);
    const client = await database.pool.connect();
    await client.query('SET default_transaction_read_only = on');
    client.release();
    await database.query(insert, [2]);
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const other = open(primary.url);
    await expect(other.ping()).rejects.toThrow('default_transaction_read_only is on');
    const waiting = other.query(insert, [3]);
    await admin.query('SET default_transaction_read_only = off');
    await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await waiting;
    await other.ping();
    expect(await other.query(count, [])).toEqual([{ count: 2 }]);
  });
});

describe('several hosts', () => {
  test('the one that takes writes is found, wherever it stands', async () => {
    const gone = `postgres://127.0.0.1:${await freePort()}`;
    const silent = await openSilent();
    for (const hosts of [
      [standby.url, primary.url],
      [gone, standby.url, primary.url],
      [silent, primary.url],
    ]) {
      const database = open(listOf(...hosts));
      expect(await database.query(port, [])).toEqual([{ port: portOf(primary.url) }]);
      await database.ping();
      const client = await openClient(listOf(...hosts), {});
      await client.end();
    }
  });

  test('where none does, each says why', async () => {
    const gone = `postgres://127.0.0.1:${await freePort()}`;
    const said = /no host takes writes \(127\.0\.0\.1:\d+ is a standby; 127\.0\.0\.1:\d+: .*ECONNREFUSED/;
    await expect(openClient(listOf(standby.url, gone), {})).rejects.toThrow(said);
    const fault = await faultOf(open(listOf(standby.url, gone)).query(count, []));
    expect((fault.cause as Error).message).toMatch(said);
  });

  test('a standby that takes over is found; a statement that waits for the old one is given up', async () => {
    const database = open(listOf(primary.url, standby.url));
    await database.query(insert, [4]);
    const waiting = faultOf(database.query(wait, []));
    await expect.poll(() => database.pool.totalCount - database.pool.idleCount).toBe(1);
    primary.pause();
    // As long as nobody has taken over, requests come and go.
    for (let n = 0; n < 2; n++)
      expect((await faultOf(database.query(count, []))).message).toMatch(
        /^(no database connection|database: connection)$/,
      );
    await standby.promote();
    expect((await waiting).message).toBe('database: connection');
    expect(await database.query(port, [])).toEqual([{ port: portOf(standby.url) }]);
    await database.query(insert, [5]);
    primary.resume();
  }, 60_000);
});
