import { randomBytes } from 'node:crypto';
import { openLog } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { startSparePostgres } from '@millpond/engines';
import { dialects, Fault } from '@millpond/protocol';
import { freePort } from '@millpond/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type DatabaseProxy, openDatabaseProxy } from '../../../test/database-proxy.ts';
import { useDatabases } from '../../../test/databases.ts';
import { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { Buckets } from '../buckets/index.ts';
import { type CommitHook, type Committed, Objects } from './objects.service.ts';
import { type NewObject, ObjectStore } from './objects.store.ts';

const UNKNOWN = {
  fault: 'serverFailure',
  status: 599,
  hint: 'it is unknown whether this was stored: send it again',
};
const OPEN_GATE = `INSERT INTO region.bucket_gate (bucket_id, state) VALUES (7, 'open')`;

const databases = useDatabases();

beforeAll(async () => {
  await databases.region.pool.query(OPEN_GATE);
});

function open(url: string): Objects {
  const region = new Database({
    url,
    connections: 3,
    timeoutMs: 15_000,
    applicationName: 'lost answers',
    log: openLog('silent'),
  });
  onTestFinished(() => region.close());
  return new Objects(new ObjectStore(region), {} as Buckets, {
    commitWindowMs: 600_000,
    dialect: dialects.svc,
  });
}

/** Objects whose connections go through a proxy, one of which is open already. */
async function openProxied(url: string): Promise<{ objects: Objects; proxy: DatabaseProxy }> {
  const proxy = await openDatabaseProxy(url);
  const objects = open(proxy.url);
  await objects.commit(object(), 'insert');
  return { objects, proxy };
}

function object(): Omit<NewObject, 'commitWindowMs'> {
  const blobId = newBlobId();
  return {
    bucketId: 7n,
    key: randomBytes(8).toString('hex'),
    blobId,
    segments: [{ id: blobId, size: 3 }],
    fsize: 3,
    hash: randomBytes(8).toString('hex'),
    mimeType: 'text/plain',
    detectedType: 'text/plain',
    storageClass: 0,
    endUser: undefined,
    meta: undefined,
    deadline: Math.floor(Date.now() / 1000) + 600,
  };
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error('no fault was thrown', { cause: error });
  return error;
}

/** A connection that breaks as soon as the server answers, and only that one. */
function loseOne(proxy: DatabaseProxy): void {
  proxy.loseAnswers();
  setTimeout(() => proxy.mend(), 500);
}

describe('a commit whose answer is lost', () => {
  const url = () => String(databases.region.pool.options.connectionString);
  const also: CommitHook = async (transaction) => {
    await transaction.client.query('SELECT 1');
  };

  test('is a success if the object is there', async () => {
    const { objects, proxy } = await openProxied(url());
    const wanted = object();
    loseOne(proxy);
    const { hash, fsize, written } = await objects.commit(wanted, 'insert');
    expect({ hash, fsize, written }).toEqual({ hash: wanted.hash, fsize: 3n, written: true });
  });

  test('is unknown if it is not, because it may yet come', async () => {
    const { objects, proxy } = await openProxied(url());
    proxy.loseRequests();
    setTimeout(() => proxy.mend(), 500);
    expect(await faultOf(objects.commit(object(), 'insert'))).toMatchObject(UNKNOWN);
  });

  /** Its statement waits in the server for half a second after its connection has gone. */
  async function commitLate(work?: CommitHook): Promise<{ committing: Promise<Committed> }> {
    const { objects, proxy } = await openProxied(url());
    const holder = await databases.region.pool.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE region.objects IN EXCLUSIVE MODE');
    const committing = objects.commit(object(), 'insert', work);
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'region.objects'::regclass`;
    await expect.poll(async () => (await databases.region.pool.query(waiting)).rowCount).toBe(1);
    proxy.cut();
    setTimeout(() => void holder.query('ROLLBACK').then(() => holder.release()), 500);
    return { committing };
  }

  test('is a success if it comes while it is looked for', async () => {
    const { committing } = await commitLate();
    expect((await committing).written).toBe(true);
  });

  test('is unknown if its transaction was cut before its end, which nobody can tell apart', async () => {
    const { committing } = await commitLate(also);
    expect(await faultOf(committing)).toMatchObject(UNKNOWN);
  });

  test('is no matter of a commit that was never sent', async () => {
    const objects = open('postgres://nobody@127.0.0.1:1/none');
    const { fault, hint } = await faultOf(objects.commit(object(), 'insert'));
    expect({ fault, hint }).toEqual({ fault: 'serverFailure', hint: undefined });
  });
});

test('an object that the standby does not have yet is no success, though it can be seen', {
  tags: ['debian'],
  timeout: 120_000,
}, async () => {
  const primary = await startSparePostgres(await freePort());
  onTestFinished(() => primary.destroy());
  await migrate(primary.url, 'region');
  const standby = await primary.standby(await freePort());
  onTestFinished(() => standby.destroy());
  await primary.configure(`synchronous_standby_names = '*'`);
  const direct = new Database({
    url: primary.url,
    connections: 1,
    timeoutMs: 15_000,
    applicationName: 'direct',
    log: openLog('silent'),
  });
  onTestFinished(() => direct.close());
  await direct.pool.query(OPEN_GATE);
  const { objects, proxy } = await openProxied(primary.url);

  standby.pause();
  onTestFinished(() => standby.resume());
  const wanted = object();
  const committing = faultOf(objects.commit(wanted, 'insert'));
  const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND application_name LIKE '%lost answers%'`;
  await expect.poll(async () => (await direct.pool.query(ended)).rowCount).toBe(1);
  expect(await committing).toMatchObject(UNKNOWN);
  const seen = 'SELECT FROM region.objects WHERE blob_id = $1';
  expect((await direct.pool.query(seen, [wanted.blobId])).rowCount).toBe(1);
  proxy.cut();
});
