/** The gateway dies (kill -9) when the object is committed and nobody has been answered: the same request is answered. */
import {
  type Account,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  stat,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, putBlock } from '../support/objects/blocks.ts';
import { beginUpload, putParts, type Site } from '../support/objects/multipart.ts';
import { randomContent } from '../support/objects/objects.ts';
import { openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BUCKET = 'repeated';
const receiver = useReceiver();
let deployment: Deployment;
let account: Account;
let region: RegionDatabase;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' },
    log: 'ignore',
  });
  account = await deployment.createAccount(undefined, BUCKET);
  region = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(async () => {
  await region?.close();
  await deployment?.destroy();
});

type Send = (site: Site) => Promise<Response>;

const POLICY = { insertOnly: 1, returnBody: '{"id":$(uuid),"key":$(key)}' };

/** All is there but the object, of two segments. */
const ways: [string, (site: Site) => Promise<Send>][] = [
  [
    'completion',
    async (site) => {
      const upload = await beginUpload(BUCKET, { key: 'completion', policy: POLICY, site });
      const parts = await putParts(upload, [randomContent(MIB), 'end']);
      return (at) => upload.by({ site: at }).complete(parts);
    },
  ],
  [
    'mkfile',
    async (site) => {
      const contexts = [await putBlock(blocksOf(BUCKET, { site }), ['one', 'two'])];
      return (at) => blocksOf(BUCKET, { policy: POLICY, site: at }).mkfile(6, contexts, { key: 'mkfile' });
    },
  ],
];

const lostOr = (answer: Promise<Response>) =>
  answer.then(
    () => 'answered',
    () => 'lost',
  );

test.each(ways)(
  'a %s that is committed when the gateway is killed is answered by the next [repeat-10]',
  async (key, prepare) => {
    const doomed = await deployment.start();
    const send = await prepare({ url: doomed.url, account });
    const held = await region.holdCommits();
    const lost = lostOr(send({ url: doomed.url, account }));
    await expect.poll(() => region.waiting()).toBe(1);
    await doomed.kill('SIGKILL');
    expect(await lost).toBe('lost');
    // The database has been told to commit, and does.
    await held.release();
    const { url } = await deployment.start();
    await expect.poll(async () => (await stat(url, account, BUCKET, key)).status).toBe(200);
    const answer = await send({ url, account });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toEqual([200, { id: expect.any(String), key }]);
    expect(await (await send({ url, account })).text()).toBe(text);
  },
);

test('a callback that nobody can have made is made by who asks again, once [repeat-10]', async () => {
  const endpoint = receiver.at(json({ got: 'it' }));
  const road = await openProxy(receiver.url);
  const policy = { callbackUrl: throughProxy(endpoint.url, road), callbackBody: 'key=$(key)&id=$(uuid)' };
  const doomed = await deployment.start();
  const upload = await beginUpload(BUCKET, { key: 'called', policy, site: { url: doomed.url, account } });
  const parts = await putParts(upload, ['content']);
  // Nothing reaches the receiver now: the upload stands exactly between commit and callback.
  road.freeze();
  const lost = lostOr(upload.complete(parts));
  const recorded = () => region.deliveriesOf(`${BUCKET}:called`);
  await expect.poll(async () => (await recorded()).map(({ state }) => state)).toEqual(['unsent']);
  await doomed.kill('SIGKILL');
  expect(await lost).toBe('lost');
  road.cut();
  road.restore();
  await region.passCallbacks();

  const site = { url: (await deployment.start()).url, account };
  const answers = await Promise.all([1, 2, 3].map(() => upload.by({ site }).complete(parts)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
    answers.map(() => '{"got":"it"}'),
  );
  const [only, ...more] = await recorded();
  expect([more, only?.state, only?.attempts.length]).toEqual([[], 'delivered', 1]);
  expect(endpoint.only.text).toBe(only?.body);
  expect(endpoint.only.headers['webhook-id']).toBe(only?.id);
  await road.close();
});
