/** Results are made once and kept; what was made of old content is never seen again. */
import { chmodSync, mkdirSync } from 'node:fs';
import { formatEntry } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, colorAt, decoded } from '../support/objects/images.ts';
import { image as plain } from '../support/objects/inspection.ts';
import { image } from '../support/objects/processing.ts';
import { openConnection, rawFetch, requestBytes } from '../support/raw.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

const BUCKET = 'kept';
/** Far less than the work takes that must not be done. */
const WAIT = { timeout: 300_000 };
const SETTINGS = { MILLPOND_CONTROL_CACHE: '1s', MILLPOND_COLLECT_EVERY: '1s' };
let deployment: Deployment;
let account: Account;
let server: ServerProcess;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, settings: SETTINGS });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
});
afterAll(() => deployment?.destroy());

async function metric(name: string, of: ServerProcess = server): Promise<number> {
  const text = await (await fetch(`${of.adminUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}

const made = (of?: ServerProcess) => metric('millpond_images_made_total', of);
const get = (key: string, query: string, of: ServerProcess = server) =>
  rawFetch({ target: `/${BUCKET}/${key}?${query}` }, of.url);

async function store(key: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const token = uploadToken(account, { scope: `${BUCKET}:${key}` });
  expect((await uploadForm(server.url, content, { token, key })).status).toBe(200);
}

test('a new upload to the key, a delete, and a copy elsewhere never show what was made before [picture-04]', async () => {
  const bucket = await newBucket();
  const path = `/${bucket}/k`;
  const colored = (color: string) => new Uint8Array(plain('p.png', '60x60', color));
  const put = (color: string) => upload({ scope: `${bucket}:k` }, colored(color), { key: 'k' });
  const query = 'imageView2/2/w/30';
  await put('0xff0000');
  const first = await ask(path, query);
  expect(await colorAt(first.body, 9, 9)).toMatch(/^f/);
  await put('0x0000ff');
  const second = await ask(path, query);
  expect(await colorAt(second.body, 9, 9)).toMatch(/^0/);
  expect(second.header('etag')).not.toBe(first.header('etag'));
  const stale = await ask(path, query, { headers: [['If-None-Match', first.header('etag') ?? '']] });
  expect(stale.status).toBe(200);
  await sendSigned({ target: `/delete/${formatEntry(bucket, 'k')}` });
  expect((await ask(path, query)).status).toBe(404);
  await put('0x00ff00');
  expect(await colorAt((await ask(path, query)).body, 9, 9)).toMatch(/^00f/);
});

test('the same work is made once, however it is written, and by all gateways together', async () => {
  await store('once', await image('300x200'));
  const before = await made();
  const first = await get('once', 'imageView2/2/w/90/h/90');
  const again = await get('once', 'imageView2/2/h/90/w/90');
  expect(await decoded(again)).toMatchObject({ size: '90x60' });
  expect(again.body.equals(first.body)).toBe(true);
  expect(await made()).toBe(before + 1);
  const second = await deployment.start();
  const elsewhere = await get('once', 'imageView2/2/w/90/h/90', second);
  expect(elsewhere.body.equals(first.body)).toBe(true);
  expect(elsewhere.header('etag')).toBe(first.header('etag'));
  expect([await made(second), await metric('millpond_images_from_cache_total', second)]).toEqual([0, 1]);
});

test('those who ask for the same at the same time share one run', async () => {
  await store('shared', await image('2000x1500'));
  const before = await made();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => get('shared', 'imageMogr2/thumbnail/500x/blur/5x5')),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.toString('base64')}`)).size).toBe(1);
  expect(await decoded(answers[0] as (typeof answers)[number])).toMatchObject({ size: '500x375' });
  expect(await made()).toBe(before + 1);
});

test('whoever comes when too many wait is answered 573 with Retry-After', async () => {
  const narrow = await deployment.start({
    settings: { MILLPOND_IMAGE_SLOTS: '1', MILLPOND_IMAGE_WAITING: '1' },
  });
  await store('busy', await image('2400x1800'));
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => get('busy', `imageMogr2/thumbnail/${1000 + at}x/blur/9x9`, narrow)),
  );
  const [served, refused] = [200, 573].map((status) => answers.filter((answer) => answer.status === status));
  expect((served?.length ?? 0) + (refused?.length ?? 0)).toBe(12);
  expect(served?.length).toBeGreaterThan(0);
  expect(refused?.length).toBeGreaterThan(0);
  for (const answer of refused ?? []) {
    expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
    expect(answer.json()).toMatchObject({ error: 'too many requests' });
  }
  expect((await get('busy', 'imageMogr2/thumbnail/900x', narrow)).status).toBe(200);
});

test('work that nobody waits for any more is given up', async () => {
  const alone = await deployment.start({ settings: { MILLPOND_IMAGE_SLOTS: '1' } });
  await store('left', await image('5000x4000'));
  expect((await get('left', 'imageInfo', alone)).status).toBe(200);
  for (let visitor = 0; visitor < 3; visitor++) {
    const connection = await openConnection(alone.url);
    // Minutes of work for one processor.
    const work = `imageMogr2/blur/50x${100 + visitor}/format/avif`;
    connection.socket.write(requestBytes(alone.url, { target: `/${BUCKET}/left?${work}` }));
    await expect.poll(() => metric('millpond_images_under_way', alone), WAIT).toBe(1);
    connection.socket.destroy();
    await expect.poll(() => metric('millpond_images_under_way', alone), WAIT).toBe(0);
  }
  // The only slot is free again.
  expect(await decoded(await get('left', 'imageView2/2/w/100', alone))).toMatchObject({ size: '100x80' });
  expect(await made(alone)).toBe(2);
});

test('while several accounts ask for images, nothing that one asks for keeps another waiting', async () => {
  const shared = await deployment.start({ settings: { MILLPOND_IMAGE_TIMEOUT: '10m' } });
  const other = await deployment.createAccount(undefined, 'beside');
  const token = uploadToken(other, { scope: 'beside:small' });
  const small = await image('300x200');
  expect((await uploadForm(shared.url, small, { token, key: 'small' })).status).toBe(200);
  await store('greedy', await image('5000x4000'));
  const others = (width: number) => rawFetch({ target: `/beside/small?imageView2/2/w/${width}` }, shared.url);
  expect(await decoded(await others(90))).toMatchObject({ size: '90x60' });
  const visitors = await Promise.all(Array.from({ length: 6 }, () => openConnection(shared.url)));
  for (const [visitor, { socket }] of visitors.entries()) {
    // Minutes of work for one processor.
    const work = `imageMogr2/blur/50x${100 + visitor}/format/avif`;
    socket.write(requestBytes(shared.url, { target: `/${BUCKET}/greedy?${work}` }));
  }
  await expect.poll(() => metric('millpond_images_under_way', shared), WAIT).toBe(6);
  expect(await decoded(await others(100))).toMatchObject({ size: '100x67' });
  expect(await metric('millpond_images_under_way', shared)).toBe(6);
  for (const { socket } of visitors) socket.destroy();
  await expect.poll(() => metric('millpond_images_under_way', shared), WAIT).toBe(0);
});

test('work that takes too long is ended and answered 400', async () => {
  const hasty = await deployment.start({ settings: { MILLPOND_IMAGE_TIMEOUT: '1s' } });
  await store('long', await image('5000x4000'));
  const answer = await get('long', 'imageMogr2/blur/50x150/format/avif', hasty);
  expect([answer.status, answer.json()]).toEqual([
    400,
    { error: 'execute fop cmd failed', hint: 'it took too long' },
  ]);
});

test('a server that makes none says so, and serves what is kept', async () => {
  await store('off', await image('300x200'));
  const first = await get('off', 'imageView2/2/w/70');
  const off = await deployment.start({ settings: { MILLPOND_IMAGE_SLOTS: '0' } });
  expect((await get('off', 'imageView2/2/w/70', off)).body.equals(first.body)).toBe(true);
  const answer = await get('off', 'imageView2/2/w/71', off);
  const refusal = { error: 'unsupported command', hint: 'processing is off on this server' };
  expect([answer.status, answer.json()]).toEqual([400, refusal]);
  // A folder that others may change is no place for a sandbox.
  const open = `${deployment.diskRoot}/open`;
  mkdirSync(open);
  chmodSync(open, 0o777);
  const unsandboxed = await deployment.start({
    settings: { MILLPOND_SANDBOX_ROOT: open, MILLPOND_LOG_LEVEL: 'error' },
  });
  const without = await get('off', 'imageView2/2/w/72', unsandboxed);
  expect([without.status, without.json()]).toEqual([400, refusal]);
  expect((await get('off', '', unsandboxed)).status).toBe(200);
});

test('without room nothing is kept, and all is answered', async () => {
  const bare = await deployment.start({ settings: { MILLPOND_IMAGE_CACHE: '0B' } });
  await store('bare', await image('300x200'));
  for (const size of ['60x40', '60x40'])
    expect(await decoded(await get('bare', 'imageView2/2/w/60', bare))).toMatchObject({ size });
  expect(await made(bare)).toBe(2);
});
