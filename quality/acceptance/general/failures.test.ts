import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { statTarget } from '../support/objects/objects.ts';
import { openConnection, type RawResponse, rawFetch, requestBytes } from '../support/raw.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'failures';
const STAT = { method: 'GET', target: statTarget(BUCKET, 'a.txt') };

let deployment: Deployment;
let proxy: EngineProxy;
let account: Account;
let url: string;
/** Past the proxy. */
let database: RegionDatabase;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    log: 'ignore',
    settings: { MILLPOND_DB_TIMEOUT: '6s', MILLPOND_DB_CONNECTIONS: '3' },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  const engine = deployment.environment.MILLPOND_REGION_DB ?? '';
  database = await openRegionDatabase(engine);
  proxy = await openProxy(engine);
  ({ url } = await deployment.start({ settings: { MILLPOND_REGION_DB: throughProxy(engine, proxy) } }));
  const token = uploadToken(account, { scope: BUCKET });
  expect((await uploadForm(url, 'hello world', { token, key: 'a.txt' })).status).toBe(200);
});
beforeEach(() => proxy.restore());
afterAll(async () => {
  await database?.close();
  await deployment?.destroy();
  await proxy?.close();
});

const signer = () => ({ url, keys: account });

function expectFailure(answer: RawResponse): void {
  expect([answer.status, answer.json()]).toEqual([599, { error: 'server failure' }]);
  expect(answer.header('content-type')).toBe('application/json');
  expect(answer.header('x-reqid')).toMatch(/./);
}

describe('with the database away', () => {
  test('object, download and upload calls answer 599, and recover with it [error-02]', async () => {
    expect((await sendSigned(STAT, signer())).status).toBe(200);
    proxy.cut();
    expectFailure(await sendSigned(STAT, signer()));
    expectFailure(await sendSigned({ target: STAT.target.replace('/stat/', '/delete/') }, signer()));
    expectFailure(await rawFetch({ target: `/${BUCKET}/a.txt` }, url));
    const token = uploadToken(account, { scope: BUCKET });
    const uploaded = await uploadForm(url, 'x', { token, key: 'b.txt' });
    expect([uploaded.status, await uploaded.json()]).toEqual([599, { error: 'server failure' }]);
    proxy.restore();
    for (let i = 0; i < 8; i++) expect((await sendSigned(STAT, signer())).status).toBe(200);
    expect((await sendSigned({ ...STAT, target: statTarget(BUCKET, 'b.txt') }, signer())).status).toBe(612);
  });

  test('calls in flight when it goes answer 599 [error-02]', async () => {
    const lock = await database.lockObjects();
    const answers = Promise.all([1, 2, 3].map(() => sendSigned(STAT, signer())));
    // They may have gone together.
    await expect.poll(() => database.waiting()).toBeGreaterThan(0);
    proxy.cut();
    for (const answer of await answers) expectFailure(answer);
    await lock.release();
    proxy.restore();
    expect((await sendSigned(STAT, signer())).status).toBe(200);
  });

  test('without a word of goodbye, calls answer 599 and later ones work', async () => {
    expect((await sendSigned(STAT, signer())).status).toBe(200);
    proxy.freeze();
    expectFailure(await sendSigned(STAT, signer()));
    proxy.restore();
    expect((await sendSigned(STAT, signer())).status).toBe(200);
  });
});

describe('a client that leaves', () => {
  test('stops the statement that ran for it, and its connection is used again', async () => {
    // Statements that nobody stops run longer than this test.
    const patient = await deployment.start({ settings: { MILLPOND_DB_TIMEOUT: '10m' } });
    onTestFinished(() => patient.kill('SIGKILL'));
    await createBucket(patient.url, account, 'leaving');
    const lock = await database.lockObjects();
    try {
      // As many as there are connections: the cancelling itself must not wait for one of them. One after the other, and in two
      // buckets, so that none goes together with another.
      const clients = await Promise.all(Array.from({ length: 3 }, () => openConnection(patient.url)));
      for (const [at, { socket }] of clients.entries()) {
        socket.write(requestBytes(patient.url, { target: `/${at < 2 ? BUCKET : 'leaving'}/a.txt` }));
        await expect.poll(() => database.waiting()).toBe(at + 1);
      }
      for (const { socket } of clients) socket.destroy();
      await expect.poll(() => database.waiting()).toBe(0);
    } finally {
      await lock.release();
    }
    const call = () => sendSigned(STAT, { ...signer(), url: patient.url });
    const answers = await Promise.all(Array.from({ length: 8 }, call));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
  });
});

test('a statement that runs too long answers 599', async () => {
  const lock = await database.lockObjects();
  try {
    const started = Date.now();
    expectFailure(await sendSigned(STAT, signer()));
    expect(Date.now() - started).toBeGreaterThan(5900);
  } finally {
    await lock.release();
  }
});
