/** With the database or the store away it is our own failure, never the origin's. */
import { formatEntry } from '@millpond/protocol';
import { type Account, createDeployment, type Deployment, signedFetch, stat } from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { fetchInto, file, image } from '../support/objects/fetching.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { takeStoreAway } from '../support/receivers/store-outage.ts';
import { target } from '../support/target.ts';

const BUCKET = 'engines-away';
const origin = useReceiver();
let deployment: Deployment;
let account: Account;
let url: string;
let database: EngineProxy;
let engine: EngineProxy | undefined;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    log: 'ignore',
    settings: {
      MILLPOND_DB_TIMEOUT: '2s',
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
      MILLPOND_FETCH_TIMEOUT: '30s',
      // With them, a small file would need no store.
      MILLPOND_SMALL_OBJECTS: '0B',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  const { MILLPOND_REGION_DB: region = '', MILLPOND_S3_ENDPOINT: endpoint = '' } = deployment.environment;
  database = await openProxy(region);
  const settings: Record<string, string> = { MILLPOND_REGION_DB: throughProxy(region, database) };
  if (target.store === 's3') {
    engine = await openProxy(endpoint);
    settings.MILLPOND_S3_ENDPOINT = throughProxy(endpoint, engine).replace(/\/$/, '');
  }
  ({ url } = await deployment.start({ settings }));
  expect((await image(BUCKET, `${origin.url}/mirror`, { url, keys: account })).status).toBe(200);
  origin.at(file('mirrored'), '/mirror/k');
});
beforeEach(() => database.restore());
afterAll(async () => {
  await deployment?.destroy();
  await database?.close();
  await engine?.close();
});

const prefetchPath = `/prefetch/${formatEntry(BUCKET, 'k')}`;
const fetchTo = (key: string, content: string | Uint8Array) =>
  fetchInto(BUCKET, origin.at(file(content)).url, { key, url, keys: account });

test('the database [fetch-rule-14 err-prefetch-07]', async () => {
  database.cut();
  await expectRefusal(await fetchTo('db', 'x'), 599, 'server failure');
  await expectRefusal(await signedFetch(url, account, prefetchPath), 599, 'server failure');
  await expectRefusal(await fetch(`${url}/${BUCKET}/k`), 599, 'server failure');
  database.restore();
  expect((await stat(url, account, BUCKET, 'db')).status).toBe(612);
  expect((await signedFetch(url, account, prefetchPath)).status).toBe(200);
});

test('the store, for small files and for those that go in parts [fetch-rule-14 err-prefetch-07]', async () => {
  const away = await takeStoreAway(deployment, engine);
  for (const [key, size] of [
    ['small', 1000],
    ['large', 20 * 1024 * 1024],
  ] as const)
    await expectRefusal(await fetchTo(key, Buffer.alloc(size)), 599, 'server failure');
  await expectRefusal(await signedFetch(url, account, prefetchPath), 599, 'server failure');
  await away.restore();
  for (const key of ['small', 'large']) expect((await stat(url, account, BUCKET, key)).status).toBe(612);
  expect((await fetchTo('small', 'back')).status).toBe(200);
});
