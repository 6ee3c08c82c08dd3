import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Log, openLog } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import { createDatabase, type TestDatabase } from '@millpond/testing';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { openDatabaseProxy } from '../../../test/database-proxy.ts';
import { Database, statement } from './database.ts';
import { isFaultOfAKey } from './sqlstate.ts';

const backend = statement('test-backend', 'SELECT pg_backend_pid() AS pid');
const sleep = statement('test-sleep', 'SELECT pg_sleep($1)');
const fail = statement('test-fail', 'SELECT $1::int FROM no_such_table');
const text = statement('test-text', 'SELECT $1::text, $2::uuid');
const numbers = statement('test-numbers', 'SELECT $1::int8 AS large, $2::int4 AS small, NULL::int8 AS none');
const applicationName = statement('test-name', `SELECT current_setting('application_name') AS name`);
const end = statement('test-end', 'SELECT pg_terminate_backend(pg_backend_pid())');

let server: TestDatabase;
let database: Database;

function open(options: { url?: string; connections?: number; timeoutMs?: number; log?: Log } = {}): Database {
  return new Database({
    url: server.url,
    connections: 2,
    timeoutMs: 5000,
    applicationName: 'database test',
    log: openLog('silent'),
    ...options,
  });
}

beforeAll(async () => {
  server = await createDatabase('database');
});
afterAll(() => server?.drop());
beforeEach(() => {
  database = open({ connections: 1 });
});
afterEach(() => database.close());

async function pid(): Promise<number> {
  const [row] = await database.query<{ pid: number }>(backend, []);
  return row?.pid ?? 0;
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error('no fault was thrown', { cause: error });
  return error;
}

describe('values', () => {
  test('int8 is a bigint to its last digit, int4 a number', async () => {
    const large = 17_890_123_456_789_012n;
    const [row] = await database.query(numbers, [large, 7]);
    expect(row).toEqual({ large, small: 7, none: null });
  });
});

test.each([
  ['', 'millpond database test 2'],
  ['?application_name=psql', 'millpond database test 2'],
  ['?application_name=millpond%20region%207', 'millpond region 7'],
])('a connection has a name of ours, also where the URL ends in “%s”', async (query, name) => {
  const named = open({ url: `${server.url}${query}` });
  const [row] = await named.query(applicationName, []);
  await named.close();
  expect(row).toEqual({ name });
});

describe('a failed statement', () => {
  test('is a server failure without its values, and its connection is used on', async () => {
    const before = await pid();
    const fault = await faultOf(database.query(fail, [0]));
    expect([fault.fault, fault.message]).toEqual(['serverFailure', 'database: 42P01']);
    expect(await pid()).toBe(before);
  });

  test('is its caller’s where the database can’t hold a value', async () => {
    for (const value of ['a\0b', '1']) {
      const fault = await faultOf(database.query(text, [value, value]));
      expect([fault.fault, fault.message]).toEqual([
        'invalidArgument',
        value === '1' ? 'database: 22P02' : 'database: 22021',
      ]);
      expect(isFaultOfAKey(fault)).toBe(true);
    }
  });

  test('that broke its connection leaves it behind', async () => {
    const before = await pid();
    expect((await faultOf(database.query(end, []))).fault).toBe('serverFailure');
    expect(await pid()).not.toBe(before);
  });

  test('that ran too long is a server failure', async () => {
    const brief = open({ timeoutMs: 2000 });
    expect((await faultOf(brief.query(sleep, [20]))).message).toBe('database: 57014');
    await brief.close();
  });
});

describe('cancelling', () => {
  test('stops the statement, gives the reason, and the connection is used on', async () => {
    const patient = open({ connections: 1, timeoutMs: 600_000 });
    const pidThere = async () => (await patient.query<{ pid: number }>(backend, []))[0]?.pid;
    const before = await pidThere();
    const controller = new AbortController();
    const left = new Fault('requestTimeout', { detail: 'the client left' });
    setTimeout(() => controller.abort(left), 100);
    expect(await faultOf(patient.query(sleep, [600], controller.signal))).toBe(left);
    expect(await pidThere()).toBe(before);
    await patient.close();
  });

  test('works while every connection is busy', async () => {
    const controller = new AbortController();
    const patient = open({ connections: 1, timeoutMs: 600_000 });
    const busy = [1, 2, 3].map(() => faultOf(patient.query(sleep, [600], controller.signal)));
    await expect.poll(() => patient.pool.waitingCount).toBe(2);
    controller.abort(new Fault('requestTimeout'));
    for (const fault of await Promise.all(busy)) expect(fault.fault).toBe('requestTimeout');
    await patient.close();
  });

  test('before the statement begins runs nothing', async () => {
    const left = new Fault('requestTimeout');
    expect(await faultOf(database.query(end, [], AbortSignal.abort(left)))).toBe(left);
    expect(await pid()).toBeGreaterThan(0);
  });

  test('after the end changes nothing', async () => {
    const controller = new AbortController();
    await database.query(backend, [], controller.signal);
    controller.abort();
    expect(await pid()).toBeGreaterThan(0);
  });
});

describe('a transaction', () => {
  const insert = statement('test-insert', 'INSERT INTO transactions VALUES ($1)');
  const count = statement('test-count', 'SELECT count(*) AS count FROM transactions');
  const rows = async () => (await database.query<{ count: bigint }>(count, []))[0]?.count;

  beforeAll(async () => {
    const setup = open();
    await setup.pool.query('CREATE TABLE transactions (n int)');
    await setup.close();
  });

  test('is committed as a whole, or not at all', async () => {
    await database.transaction(async (transaction) => {
      await transaction.query(insert, [1]);
      await transaction.query(insert, [2]);
    });
    expect(await rows()).toBe(2n);
    const ours = new Fault('fileExists');
    const refused = database.transaction(async (transaction) => {
      await transaction.query(insert, [3]);
      throw ours;
    });
    expect(await faultOf(refused)).toBe(ours);
    expect(await rows()).toBe(2n);
  });

  test('tells of its end when it is committed, and only then', async () => {
    const told: (bigint | undefined)[] = [];
    const looks: Promise<unknown>[] = [];
    const tell = () => void looks.push(rows().then((seen) => told.push(seen)));
    await database.transaction(async (transaction) => {
      transaction.afterCommit(tell);
      await transaction.query(insert, [3]);
      expect(looks).toEqual([]);
    });
    const refused = database.transaction(async (transaction) => {
      transaction.afterCommit(tell);
      throw new Fault('fileExists');
    });
    await expect(refused).rejects.toThrow();
    await Promise.all(looks);
    expect(told).toEqual([3n]);
  });

  test('begins on another connection if the first is broken', async () => {
    const proxy = await openDatabaseProxy(server.url);
    const proxied = open({ url: proxy.url, connections: 1 });
    onTestFinished(() => proxied.close());
    await proxied.query(backend, []);
    proxy.loseOneRequest();
    await proxied.transaction((transaction) => transaction.query(backend, []));
  });

  test('whose connection breaks leaves it behind', async () => {
    const before = await pid();
    const broken = database.transaction((transaction) => transaction.query(end, []));
    expect((await faultOf(broken)).fault).toBe('serverFailure');
    expect(await pid()).not.toBe(before);
    expect(await rows()).toBe(3n);
  });
});

describe('a database that is away', () => {
  test('is a server failure', async () => {
    const away = open({ url: 'postgres://nobody@127.0.0.1:1/none' });
    const fault = await faultOf(away.query(backend, []));
    expect([fault.fault, fault.message]).toEqual(['serverFailure', 'no database connection']);
    await away.close();
  });

  test('without a word is given up after a while, and so is its connection', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    const proxy = createServer((inner) => {
      const outer = connect(Number(port), hostname);
      sockets.push(inner, outer);
      for (const socket of [inner, outer]) socket.on('error', () => undefined);
      inner.pipe(outer).pipe(inner);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(server.url);
    url.port = String((proxy.address() as { port: number }).port);
    const silent = open({ url: url.href, connections: 1, timeoutMs: 2000 });
    try {
      await silent.query(backend, []);
      for (const socket of sockets) socket.pause();
      expect((await faultOf(silent.query(backend, []))).message).toBe('database: connection');
      expect(silent.pool.totalCount).toBe(0);
    } finally {
      for (const socket of sockets) socket.destroy();
      await silent.close();
      proxy.close();
    }
  });

  test('is told once for each idle connection, and not while connections are being closed', async () => {
    const warn = vi.fn();
    const stopping = open({ log: { warn } as unknown as Log });
    await stopping.query(backend, []);
    const stopped = new Error('terminating connection due to administrator command');
    stopping.pool.emit('error', stopped, undefined as never);
    expect(warn).toHaveBeenCalledTimes(1);
    const closing = stopping.close();
    stopping.pool.emit('error', stopped, undefined as never);
    await closing;
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
