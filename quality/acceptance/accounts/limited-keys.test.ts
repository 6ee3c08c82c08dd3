/** What keys with limits sign and submit: never more than they may do themselves. That every call refuses them is in the matrix. */
import { encodeBase64Text, etagOf, formatEntry, type KeyLimits } from '@millpond/protocol';
import { hashing, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { newChild, userCall } from '../support/accounts/accounts.ts';
import { auditOf } from '../support/accounts/operator.ts';
import { expectContent, expectNothing } from '../support/expectations.ts';
import { blockAnswer, blocksOf } from '../support/objects/blocks.ts';
import { ask, putStyle, setStyles, signedTarget } from '../support/objects/images.ts';
import { beginAnswer, beginUpload } from '../support/objects/multipart.ts';
import { downloadPath, statTarget, store } from '../support/objects/objects.ts';
import { ended, idIn, image, pfop, put, saveas } from '../support/objects/processing.ts';
import type { RawResponse } from '../support/raw.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target } from '../support/target.ts';

interface Pair {
  readonly accessKey: string;
  readonly secretKey: string;
}

const receiver = useReceiver();
let bucket: string;
let other: string;

beforeAll(async () => {
  [bucket, other] = [await newBucket(), await newBucket()];
});

async function keyWith(limits: KeyLimits, by: Pair = target.account): Promise<Pair> {
  const made = await userCall('create_key', { limits: JSON.stringify(limits) }, by);
  expect(made.status, made.text()).toBe(200);
  const { key, secret, kind, limits: said } = made.json() as Record<string, string>;
  expect({ kind, said }).toEqual({ kind: 'user', said: limits });
  return { accessKey: key ?? '', secretKey: secret ?? '' };
}

/** The limit that an answer names; `done` if it was no refusal. */
async function limitIn(answer: Response | RawResponse): Promise<string> {
  const text = await answer.text();
  if (answer.status === 200) return 'done';
  const { error, hint } = JSON.parse(text) as { error: string; hint?: string };
  expect([answer.status, error], text).toEqual([403, 'the access key is limited']);
  return /limit (\w+): /.exec(hint ?? '')?.[1] ?? text;
}

const upload = (keys: Pair, policy: Record<string, unknown>, content: string, form: { key?: string } = {}) =>
  uploadForm(target.url, content, { token: uploadToken(keys, policy), ...form });
const signed = (keys: Pair, call: string, body?: string) =>
  sendSigned({ target: call, ...(body === undefined ? {} : { body }) }, { keys });

describe('the owner', () => {
  test('limits, changes and frees a key; it counts at once, and the log says so [key-limit-03 key-limit-12]', async () => {
    const owner = await newChild();
    const key = await keyWith({ actions: ['list'] }, owner);
    const stat = async () => (await signed(key, statTarget('nowhere-to-be-found', 'k'))).status;
    expect(await stat()).toBe(403);
    const limit = (limits: string) => userCall('limit_key', { key: key.accessKey, limits }, owner);
    const changed = await limit('{"actions":["read"],"expiresAt":4000000000}');
    expect(changed.json()).toMatchObject({
      key: key.accessKey,
      limits: { actions: ['read'], expiresAt: 4_000_000_000 },
    });
    await expect.poll(stat, { timeout: 300_000, interval: 50 }).toBe(631);
    const listed = await secureSigned({ method: 'GET', target: '/v1/user/keys' }, { keys: owner });
    expect((listed.json() as { limits?: unknown }[]).map(({ limits }) => limits)).toEqual([
      undefined,
      { actions: ['read'], expiresAt: 4_000_000_000 },
    ]);
    expect(listed.text()).not.toContain(key.secretKey);
    expect((await limit('unlimited')).json()).not.toHaveProperty('limits');
    const acts = await auditOf(key.accessKey);
    expect(acts.map(({ action }) => action)).toEqual(['key.limit', 'key.limit', 'key.create']);
    expect(acts[0]).toMatchObject({ actor: owner.accessKey, result: 'ok' });
  });

  test('is told what is wrong with limits, and nothing changes [key-limit-11]', async () => {
    const owner = await newChild();
    const { accessKey } = await keyWith({ actions: ['list'] }, owner);
    const limit = (limits: string, key = accessKey) => userCall('limit_key', { key, limits }, owner);
    for (const [limits, words] of [
      ['{', 'JSON object'],
      ['[]', 'JSON object'],
      ['{"moon":1}', 'no limit'],
      ['{}', 'no limit'],
      ['null', 'JSON object'],
      ['none', 'JSON object'],
      ['"unlimited"', 'JSON object'],
      ['{"networks":["10.0.0.1/8"]}', '10.0.0.1/8'],
      [JSON.stringify({ prefixes: Array.from({ length: 40 }, (_, at) => `${at}`.padEnd(120)) }), '4096'],
    ] as const) {
      const answer = await limit(limits);
      expectAccountError(answer, 8);
      expect(answer.text()).toContain(words);
    }
    expectAccountError(await limit('{"actions":["read"]}', owner.accessKey), 8);
    expectAccountError(await limit('unlimited', target.account.accessKey), 14);
    expectAccountError(await userCall('create_key', { limits: '{"actions":["fly"]}' }, owner), 8);
    expect((await auditOf(accessKey)).map(({ action }) => action)).toEqual(['key.create']);
  });
});

test('nothing named is nothing allowed: an empty list, when a key is made and later [key-limit-13]', async () => {
  await upload(target.account, { scope: bucket }, 'content', { key: 'seen' });
  const seen = async (key: Pair) => (await signed(key, statTarget(bucket, 'seen'))).status;
  for (const limits of [{ actions: [] }, { buckets: [] }, { prefixes: [] }, { networks: [] }]) {
    const key = await keyWith(limits);
    expect([limits, await seen(key)]).toEqual([limits, 403]);
    expect(await limitIn(await upload(key, { scope: bucket }, 'content', { key: 'new' }))).toBe(
      Object.keys(limits)[0],
    );
  }
  const owner = await newChild();
  const { accessKey } = await keyWith({ actions: ['list'] }, owner);
  const changed = await userCall('limit_key', { key: accessKey, limits: '{"actions":[]}' }, owner);
  expect(changed.json()).toMatchObject({ limits: { actions: [] } });
});

describe('upload tokens', () => {
  test('a key that may not delete creates objects and replaces none, by every kind of upload [key-limit-05]', async () => {
    const key = await keyWith({ actions: ['write'] });
    const scope = `${bucket}:once`;
    expect(await limitIn(await upload(key, { scope }, 'first', { key: 'once' }))).toBe('done');
    expect(await limitIn(await upload(key, { scope }, 'second', { key: 'once' }))).toBe('actions');
    // The same again replaces nothing.
    expect(await limitIn(await upload(key, { scope }, 'first', { key: 'once' }))).toBe('done');
    const site = { url: target.url, account: key };
    const parts = await beginUpload(bucket, { key: 'once', policy: { scope }, site });
    await parts.put(1, 'second');
    const etag = etagOf(hashing, Buffer.from('second'));
    expect(await limitIn(await parts.complete([{ partNumber: 1, etag }]))).toBe('actions');
    const blocks = blocksOf(bucket, { policy: { scope }, site });
    const { ctx } = await blockAnswer(await blocks.mkblk(6, 'second'));
    expect(await limitIn(await blocks.mkfile(6, [ctx], { key: 'once' }))).toBe('actions');
    await expectContent(bucket, 'once', 'first');
    const both = await keyWith({ actions: ['write', 'delete'] });
    expect(await limitIn(await upload(both, { scope }, 'second', { key: 'once' }))).toBe('done');
    await expectContent(bucket, 'once', 'second');
  });

  test('the object’s final key is judged, whoever chose it [key-limit-06]', async () => {
    const key = await keyWith({ buckets: [bucket], prefixes: ['mine/'] });
    const site = { url: target.url, account: key };
    const named = receiver.at(json({ key: 'theirs/named', payload: {} }));
    const callback = { callbackUrl: named.url, callbackBody: 'k', callbackFetchKey: 1 };
    for (const [policy, form] of [
      [{ scope: bucket }, { key: 'theirs/a' }],
      [{ scope: `${bucket}:theirs/a` }, { key: 'theirs/a' }],
      [{ scope: bucket }, {}],
      [{ scope: bucket, saveKey: 'theirs/$(etag)' }, {}],
      [{ scope: bucket, saveKey: 'theirs/$(etag)', forceSaveKey: true }, { key: 'mine/a' }],
      [{ scope: bucket, ...callback }, { key: 'mine/a' }],
    ] as const)
      expect(await limitIn(await upload(key, policy, 'x', form)), JSON.stringify(policy)).toBe('prefixes');
    expect(await limitIn(await upload(key, { scope: other }, 'x', { key: 'mine/a' }))).toBe('buckets');
    expect(await limitIn(await beginAnswer(bucket, { key: 'theirs/a', site }))).toBe('prefixes');
    const unnamed = await beginUpload(bucket, { policy: { saveKey: 'theirs/a' }, site });
    await unnamed.put(1, 'x');
    const etag = etagOf(hashing, Buffer.from('x'));
    expect(await limitIn(await unnamed.complete([{ partNumber: 1, etag }]))).toBe('prefixes');
    for (const name of ['theirs/a', 'theirs/named', etag]) await expectNothing(bucket, name);
    expect(await limitIn(await upload(key, { scope: bucket }, 'x', { key: 'mine/a' }))).toBe('done');
    const prefixal = { scope: `${bucket}:mine/`, isPrefixalScope: 1 };
    expect(await limitIn(await upload(key, prefixal, 'x', { key: 'mine/b' }))).toBe('done');
  });

  test('a token made before the limits were set is worth no more than the key now [key-limit-06]', async () => {
    const owner = target.account;
    const key = await keyWith({ actions: ['write', 'delete'] });
    const token = uploadToken(key, { scope: `${bucket}:before` });
    const send = () => uploadForm(target.url, 'x', { token, key: 'before' });
    expect(await limitIn(await send())).toBe('done');
    await userCall('limit_key', { key: key.accessKey, limits: '{"expiresAt":1}' }, owner);
    await expect.poll(async () => limitIn(await send()), { timeout: 300_000 }).toBe('expiresAt');
  });

  test('and what they have done with the object afterwards [key-limit-10]', async () => {
    const key = await keyWith({ buckets: [bucket] });
    const policy = (fops: string) => ({
      scope: bucket,
      persistentOps: fops,
      persistentNotifyUrl: receiver.at(json({})).url,
    });
    const away = policy(`imageInfo|${saveas(other, 'out')}`);
    expect(await limitIn(await upload(key, away, 'x', { key: 'processed' }))).toBe('buckets');
    await expectNothing(bucket, 'processed');
    const here = policy(`imageInfo|${saveas(bucket, 'out')}`);
    expect(await limitIn(await upload(key, here, 'x', { key: 'processed' }))).toBe('done');
  });
});

describe('calls', () => {
  test('a batch does what is allowed, and refuses the rest in its place [key-limit-08]', async () => {
    const key = await keyWith({ buckets: [bucket], actions: ['read', 'delete'] });
    await store('batched', 'x', { bucket });
    await store('batched', 'x', { bucket: other });
    const [here, there] = [formatEntry(bucket, 'batched'), formatEntry(other, 'batched')];
    const ops = [
      `/stat/${here}`,
      `/stat/${there}`,
      `/delete/${there}`,
      `/copy/${here}/${there}`,
      `/delete/${here}`,
    ];
    const answer = await signed(key, '/batch', ops.map((op) => `op=${op}`).join('&'));
    const results = answer.json() as { code: number; data?: { hint?: string } }[];
    expect(results.map(({ code }) => code)).toEqual([200, 403, 403, 403, 200]);
    expect(results[1]?.data?.hint).toContain('limit buckets: ');
    await expectContent(other, 'batched', 'x');
    await expectNothing(bucket, 'batched');
  });

  test('copy and move are judged at both ends [key-limit-01]', async () => {
    const from = await newBucket();
    await store('a', 'x', { bucket: from });
    await store('b', 'y', { bucket });
    const relocate = async (limits: KeyLimits, call: string) =>
      limitIn(await signed(await keyWith(limits), `/${call}`));
    const to = (key: string) => `${formatEntry(from, 'a')}/${formatEntry(bucket, key)}`;
    expect(await relocate({ buckets: [bucket] }, `copy/${to('c')}`)).toBe('buckets');
    expect(await relocate({ buckets: [from] }, `copy/${to('c')}`)).toBe('buckets');
    expect(await relocate({ actions: ['write', 'delete'] }, `move/${to('c')}`)).toBe('actions');
    expect(await relocate({ actions: ['read', 'write'] }, `move/${to('c')}`)).toBe('actions');
    expect(await relocate({ actions: ['read', 'write'] }, `copy/${to('b')}/force/true`)).toBe('actions');
    expect(await relocate({ actions: ['read', 'write'] }, `copy/${to('c')}`)).toBe('done');
    await expectContent(bucket, 'b', 'y');
  });

  test('lists stay under a prefix, page by page, and buckets that are not the key’s are not shown [key-limit-09]', async () => {
    const place = await newBucket();
    for (const key of ['a/1', 'a/2', 'b/1']) await store(key, 'x', { bucket: place });
    const key = await keyWith({ buckets: [place], prefixes: ['a/'] });
    const list = (query: string) => signed(key, `/list?bucket=${place}&${query}`);
    for (const query of ['', 'prefix=', 'prefix=a', 'prefix=b/', 'delimiter=/'])
      expect(await limitIn(await list(query))).toBe('prefixes');
    const first = (await list('prefix=a/&limit=1')).json() as { marker: string; items: { key: string }[] };
    const second = (await list(`prefix=a/&marker=${first.marker}`)).json() as typeof first;
    expect([...first.items, ...second.items].map((item) => item.key)).toEqual(['a/1', 'a/2']);
    expect((await signed(key, '/buckets')).json()).toEqual([place]);
    const page = await signed(key, '/buckets?apiVersion=v4&limit=1');
    expect(page.json()).toMatchObject({ next_marker: '', is_truncated: false, buckets: [{ name: place }] });
    const asked = (name: string) => ask('/v4/query', `ak=${key.accessKey}&bucket=${name}`);
    expect([(await asked(place)).status, (await asked(other)).status]).toEqual([200, 631]);
  });

  test('asynchronous fetches are shown to keys that may make them [key-limit-10]', async () => {
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/', bucket, key: 'fetched' });
    const call = { target: '/sisyphus/fetch', contentType: 'application/json', body };
    const made = await secureSigned(call, { keys: await keyWith({ buckets: [bucket] }) });
    const { id } = made.json() as { id: string };
    const status = async (limits: KeyLimits) =>
      limitIn(
        await secureSigned(
          { method: 'GET', target: `/sisyphus/fetch?id=${id}` },
          { keys: await keyWith(limits) },
        ),
      );
    expect(await status({ buckets: [bucket] })).toBe('done');
    expect(await status({ buckets: [other] })).toBe('buckets');
    expect(await status({ prefixes: ['mine/'] })).toBe('prefixes');
    const unnamed = { ...call, body: JSON.stringify({ url: 'http://127.0.0.1:9/', bucket }) };
    const prefixed = await keyWith({ prefixes: ['mine/'] });
    expect(await limitIn(await secureSigned(unnamed, { keys: prefixed }))).toBe('prefixes');
  });

  test('tasks write only where the key may [key-limit-10]', async () => {
    await put(bucket, 'in/image', await image('20x10'));
    const key = await keyWith({ buckets: [bucket], prefixes: ['in/', 'out/'] });
    const submit = (fops: string) => pfop({ bucket, key: 'in/image', fops }, { keys: key });
    expect(await limitIn(await submit('imageInfo'))).toBe('prefixes');
    expect(await limitIn(await submit(`imageInfo|${saveas(bucket, 'else/x')}`))).toBe('prefixes');
    expect(await limitIn(await submit(`imageInfo|${saveas(other, 'out/x')}`))).toBe('buckets');
    const zip = `mkzip/2/url/${encodeBase64Text(`${target.url}/${other}/x`)}|${saveas(bucket, 'out/x')}`;
    expect(await limitIn(await submit(zip))).toBe('buckets');
    const accepted = await submit(`imageView2/2/w/5|${saveas(bucket, 'out/x')}`);
    expect(await ended(idIn(accepted))).toMatchObject({ code: 0 });
    const blind = await keyWith({ actions: ['write', 'delete'] });
    const fops = `imageInfo|${saveas(bucket, 'out/y')}`;
    expect(await limitIn(await pfop({ bucket, key: 'in/image', fops }, { keys: blind }))).toBe('actions');
  });
});

describe('signed URLs', () => {
  test('of a key that may not read are worth nothing; a style does not widen a prefix [key-limit-07]', async () => {
    const own = await newBucket();
    await put(own, 'cat.png', await image('40x30'));
    await putStyle(own, 'small', 'imageView2/2/w/8');
    await setStyles(own, { separator: '-' });
    await sendSigned({ target: '/private', body: `bucket=${own}&private=1` });
    const path = downloadPath(own, 'cat.png');
    const get = async (limits: KeyLimits, asked: string) =>
      limitIn(await ask(signedTarget(asked, await keyWith(limits))));
    expect(await get({ actions: ['list', 'write'] }, path)).toBe('actions');
    expect(await get({ buckets: [own], actions: ['read'] }, path)).toBe('done');
    expect(await get({ prefixes: ['cat'] }, `${path}-small`)).toBe('done');
    // Under this prefix lies the name of the style, and not the object.
    expect(await get({ prefixes: ['cat.png-'] }, `${path}-small`)).toBe('prefixes');
    const mark = await newBucket();
    await put(mark, 'mark.png', await image('10x10'));
    await sendSigned({ target: '/private', body: `bucket=${mark}&private=1` });
    const markUrl = encodeBase64Text(`${target.url}${downloadPath(mark, 'mark.png')}`);
    const marked = `${path}?watermark/1/image/${markUrl}`;
    expect(await get({ buckets: [own, mark] }, marked)).toBe('done');
    const hidden = await ask(signedTarget(marked, await keyWith({ buckets: [own] })));
    expect([hidden.status, hidden.text()]).toEqual([400, expect.stringContaining('a mark must be')]);
  });
});
