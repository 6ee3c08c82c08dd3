// @module-tag root
/**
 * What a container's first process does when it is told to end: the kernel drops signals to it that it does not handle, so a start or a
 * migration that waits would be killed at the end of the time that the container is given.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { COMMAND, createDatabase, freePort } from '@millpond/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

/** Less than any container is given before it is killed, and more than a busy machine needs. */
const MAX_MS = 8000;

/** As process 1 of a namespace, as in a container without an init. */
function startFirst(args: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, COMMAND, ...args], {
    env: {
      PATH: process.env.PATH,
      MILLPOND_CONFIG: '/dev/null',
      MILLPOND_MASTER_KEY: `k:${randomBytes(32).toString('base64')}`,
      MILLPOND_BLOBS: 'disk',
      MILLPOND_DISK_ROOT: '/nonexistent',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function told(child: ChildProcess) {
  const { pid } = child;
  const first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  const ended = once(child, 'exit');
  const said = text(child.stderr as NodeJS.ReadableStream);
  const at = performance.now();
  process.kill(first, 'SIGTERM');
  const [code] = (await ended) as [number | null];
  return { code, isInTime: performance.now() - at < MAX_MS, said: await said };
}

test('`migrate` that waits for a table ends at once, and says that it is not done', async () => {
  const database = await createDatabase('first');
  onTestFinished(() => database.drop());
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('CREATE SCHEMA control');
  await holder.query('CREATE TABLE control.migrations (file text, checksum text)');
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE control.migrations IN ACCESS EXCLUSIVE MODE');
  const child = startFirst(['migrate'], {
    MILLPOND_CONTROL_DB: database.url,
    MILLPOND_REGION_DB: database.url,
  });
  const waiting = async () => {
    const { rows } = await holder.query(
      `SELECT l.relation::regclass::text AS table FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND NOT l.granted`,
    );
    return rows;
  };
  await expect.poll(waiting).toEqual([{ table: 'control.migrations' }]);
  expect(await told(child)).toEqual({
    code: 130,
    isInTime: true,
    said: expect.stringContaining('run it again'),
  });
});

test.each([[['serve']], [['serve', '--migrate']], [['work']]])(
  '%j whose database hangs ends at once',
  async (args) => {
    const connected = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.on('error', () => undefined);
      connected.resolve();
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    const url = `postgres://a:b@127.0.0.1:${port}/millpond`;
    const child = startFirst(args, {
      MILLPOND_CONTROL_DB: url,
      MILLPOND_REGION_DB: url,
      MILLPOND_LISTEN: `http://127.0.0.1:${await freePort()}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${await freePort()}`,
    });
    await Promise.race([connected.promise, once(child, 'exit')]);
    expect(await told(child)).toEqual({
      code: 0,
      isInTime: true,
      said: expect.stringContaining('told to end before it was ready'),
    });
  },
);
