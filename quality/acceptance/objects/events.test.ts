/** Events of objects: rules of a bucket, every way in which an object changes, and what the receiver gets. */
import { verifyEventRequest, verifyWebhookRequest } from '@millpond/client';
import { formatEntry, objectEvents, records } from '@millpond/protocol';
import { CloudEvent, HTTP } from 'cloudevents';
import { describe, expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { expectRefusal, recordOf } from '../support/expectations.ts';
import { mismatches } from '../support/matches-schema.ts';
import { chtype, RESTORE_SECONDS, restoreAr, useArchiveRows } from '../support/objects/archive.ts';
import { blocksOf, putBlock } from '../support/objects/blocks.ts';
import { bucketCall, bucketDo, bucketJson, form } from '../support/objects/buckets.ts';
import { fetchInto, file, image } from '../support/objects/fetching.ts';
import { uploadInParts } from '../support/objects/multipart.ts';
import { callOperation, put, relocate } from '../support/objects/operations.ts';
import { image as picture, processed, put as putBytes, saveas } from '../support/objects/processing.ts';
import { newKey, useRegion, webhookSecrets } from '../support/receivers/callbacks.ts';
import { type Endpoint, json, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { download, newBucket, target } from '../support/target.ts';

const receiver = useReceiver();
const region = useRegion();
const rows = useArchiveRows();
const ALL = Object.keys(objectEvents);
const DESCRIBED: object = records.ObjectEvent;
/** Only a hang reaches it. */
const SOON = { timeout: 300_000, interval: 50 };

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly key: string; readonly way?: string };
}

const setRules = (bucket: string, ...rules: object[]) =>
  bucketDo(`/eventRules/set/${bucket}`, { body: JSON.stringify(rules) });
const rulesOf = (bucket: string) => bucketJson(`/eventRules/get/${bucket}`, { method: 'GET' });

async function watched(rule: object = {}): Promise<{ bucket: string; endpoint: Endpoint }> {
  const [bucket, endpoint] = [await newBucket(), receiver.at(json({}))];
  await setRules(bucket, { name: 'all', url: endpoint.url, events: ALL, ...rule });
  return { bucket, endpoint };
}

const toldAt = ({ requests }: Endpoint) => requests.map(({ text }) => JSON.parse(text) as ReceivedEvent);
const shown = ({ type, data }: ReceivedEvent) =>
  `${type.replace('millpond.object.', '')}${data.way === undefined ? '' : `.${data.way}`} ${data.key}`;
const namesAt = (endpoint: Endpoint) => toldAt(endpoint).map(shown);

/** Events of different keys come in any order. */
const expectTold = (endpoint: Endpoint, ...names: string[]) =>
  expect.poll(() => namesAt(endpoint).toSorted(), SOON).toEqual(names.toSorted());
const remove = (bucket: string, key: string) => callOperation(`/delete/${formatEntry(bucket, key)}`);

describe('rules', () => {
  test('are set and shown as a whole, and removed [bucket-16]', async () => {
    const bucket = await newBucket();
    expect(await rulesOf(bucket)).toEqual([]);
    const url = 'https://example.com/events';
    const photos = { name: 'photos', url, events: ['created', 'deleted.move'], prefix: 'p/', suffix: '.jpg' };
    const large = { name: 'large', url, events: ['created'], minSize: 1000, maxSize: 2000 };
    await setRules(bucket, photos, large);
    expect(await rulesOf(bucket)).toEqual([large, photos]);
    await setRules(bucket);
    expect(await rulesOf(bucket)).toEqual([]);
  });

  test.each([
    '{}',
    '[{"name":"a","url":"nonsense","events":["created"]}]',
    '[{"name":"a","url":"https://example.com/","events":["created.never"]}]',
    '[{"name":"a","url":"https://example.com/","events":["created"],"minSize":2,"maxSize":1}]',
  ])('%s answers 400 and changes nothing [bucket-16]', async (body) => {
    const bucket = await newBucket();
    const rule = { name: 'kept', url: 'https://example.com/', events: ['created'] };
    await setRules(bucket, rule);
    await expectRefusal(await bucketCall(`/eventRules/set/${bucket}`, { body }), 400, 'invalid argument');
    expect(await rulesOf(bucket)).toEqual([rule]);
  });

  test('select by prefix, suffix, size and way; without any, nothing is told [bucket-17]', async () => {
    const chosen = { events: ['created.form'], prefix: 'p/', suffix: '.jpg', minSize: 3, maxSize: 5 };
    const { bucket, endpoint } = await watched(chosen);
    for (const [key, content] of [
      ['p/small.jpg', '12'],
      ['p/large.jpg', '123456'],
      ['p/other.png', '1234'],
      ['o/other.jpg', '1234'],
      ['p/fits.jpg', '1234'],
    ] as const)
      await put(bucket, key, content);
    await relocate('copy', { bucket, key: 'p/fits.jpg' }, { bucket, key: 'p/copy.jpg' });
    await expectTold(endpoint, 'created.form p/fits.jpg');
    await setRules(bucket);
    await put(bucket, 'p/again.jpg', '1234');
    await setRules(bucket, { name: 'all', url: endpoint.url, events: ['created'] });
    await put(bucket, 'last', '');
    await expectTold(endpoint, 'created.form p/fits.jpg', 'created.form last');
  });
});

describe('an object that', () => {
  test('is uploaded, in one request, in parts or in blocks, and overwritten [bucket-17]', async () => {
    const { bucket, endpoint } = await watched();
    await put(bucket, 'form', 'one');
    await put(bucket, 'form', 'two');
    const parts = await uploadInParts(bucket, ['in parts'], { key: 'parts' });
    expect(parts.status, await parts.text()).toBe(200);
    const blocks = blocksOf(bucket);
    const made = await blocks.mkfile(9, [await putBlock(blocks, ['in blocks'])], { key: 'blocks' });
    expect(made.status, await made.text()).toBe(200);
    await expectTold(
      endpoint,
      'created.form form',
      'overwritten.form form',
      'created.parts parts',
      'created.blocks blocks',
    );
    const [first, second] = toldAt(endpoint).filter(({ data }) => data.key === 'form');
    const { hash, fsize, mimeType } = await recordOf(bucket, 'form');
    expect(second?.data).toMatchObject({ bucket, hash, size: fsize, mimeType, storageClass: 0 });
    expect(second?.data.previous).toMatchObject({ hash: first?.data.hash, size: 3 });
  });

  test('is copied, moved, deleted alone or by many, and brought back [bucket-17]', async () => {
    const { bucket, endpoint } = await watched();
    const at = (key: string) => ({ bucket, key });
    await put(bucket, 'a', 'content');
    await relocate('copy', at('a'), at('b'));
    await relocate('copy', at('a'), at('b'), true);
    await relocate('move', at('b'), at('c'));
    await remove(bucket, 'c');
    await operate(['undelete', bucket, 'c', '--json']);
    const operations = ['a', 'c', 'missing'].map((key) => `op=/delete/${formatEntry(bucket, key)}`);
    await bucketCall('/batch', { body: operations.join('&') });
    await expectTold(
      endpoint,
      'created.form a',
      'created.copy b',
      'overwritten.copy b',
      'deleted.move b',
      'created.move c',
      'deleted.delete c',
      'created.undelete c',
      'deleted.delete c',
      'deleted.delete a',
    );
    // In the order of each key.
    const of = (key: string) => namesAt(endpoint).filter((name) => name.endsWith(` ${key}`));
    expect(of('b')).toEqual(['created.copy b', 'overwritten.copy b', 'deleted.move b']);
    expect(of('c')).toEqual(['created.move c', 'deleted.delete c', 'created.undelete c', 'deleted.delete c']);
  });

  test('is fetched or mirrored [bucket-17]', async () => {
    const { bucket, endpoint } = await watched();
    const origin = receiver.at(file('from afar'), '/afar/missing');
    expect((await fetchInto(bucket, origin.url, { key: 'fetched' })).status).toBe(200);
    await image(bucket, `${receiver.url}/afar`);
    expect((await download(bucket, 'missing')).status).toBe(200);
    await expectTold(endpoint, 'created.fetch fetched', 'created.mirror missing');
  });

  test('is the result of a command, also of one that was done before [bucket-17]', async () => {
    const { bucket, endpoint } = await watched({ events: ['created.process'] });
    await putBytes(bucket, 'source', await picture('40x30'));
    for (const key of ['one', 'two'])
      await processed({ bucket, key: 'source', fops: `imageView2/2/w/5|${saveas(bucket, key)}` });
    await expectTold(endpoint, 'created.process one', 'created.process two');
  });

  test('expires by its own time or by a rule, and changes class [bucket-17]', async () => {
    const { bucket, endpoint } = await watched();
    const [own, old] = [newKey(), newKey()];
    await put(bucket, own, 'own', { deleteAfterDays: 1 });
    await region.database.passDays(own, 3);
    await bucketDo('/rules/add', { body: form({ bucket, name: 'r1', prefix: old, delete_after_days: 7 }) });
    await put(bucket, old, 'old');
    await region.database.age(old, 8);
    await put(bucket, 'changed', 'class');
    await chtype({ bucket, key: 'changed' }, 1);
    const cooled = newKey();
    await bucketDo('/rules/add', {
      body: form({ bucket, name: 'r2', prefix: cooled, to_line_after_days: 1 }),
    });
    await put(bucket, cooled, 'cooled');
    await region.database.age(cooled, 2);
    const expected = [
      `created.form ${own}`,
      `expired.schedule ${own}`,
      `created.form ${old}`,
      `expired.rule ${old}`,
      'created.form changed',
      'classChanged.chtype changed',
      `classChanged.rule ${cooled}`,
    ];
    await expect.poll(() => namesAt(endpoint), SOON).toEqual(expect.arrayContaining(expected));
    const changed = toldAt(endpoint).filter(({ type }) => type === 'millpond.object.classChanged');
    for (const { data } of changed)
      expect(data).toMatchObject({ storageClass: 1, previous: { storageClass: 0 } });
  });

  test('is restored: told when it is asked for and when it can be read [bucket-17]', async () => {
    const { bucket, endpoint } = await watched({ events: ['restoring', 'restored', 'frozen'] });
    const key = newKey();
    await put(bucket, key, 'cold', { fileType: 2 });
    expect((await restoreAr({ bucket, key })).status).toBe(200);
    await expect.poll(() => namesAt(endpoint), SOON).toEqual([`restoring ${key}`]);
    const [asked] = toldAt(endpoint);
    expect(Date.parse(String(asked?.data.restoreEnds))).toBeGreaterThan(
      Date.parse(String(asked?.data.restoreReady)),
    );
    await rows.passTime(key, RESTORE_SECONDS[2]);
    await expect.poll(() => namesAt(endpoint).at(-1), SOON).toBe(`restored ${key}`);
    await rows.passTime(key, 86_400);
    await expect.poll(() => namesAt(endpoint).at(-1), SOON).toBe(`frozen ${key}`);
  });
});

describe('what the receiver gets', () => {
  test('is a CloudEvent, signed in both ways, and as described [bucket-18]', async () => {
    const { bucket, endpoint } = await watched();
    await put(bucket, 'a b/ü.txt', 'content', { endUser: 'me' });
    await put(bucket, 'a b/ü.txt', 'changed', { endUser: 'me' });
    await expect.poll(() => endpoint.requests.length, SOON).toBe(2);
    for (const request of endpoint.requests) {
      const { headers, text, body, method, target: url } = request;
      expect(headers['content-type']).toBe('application/cloudevents+json');
      const event = HTTP.toEvent({ headers, body: text }) as CloudEvent<Record<string, unknown>>;
      expect(event).toBeInstanceOf(CloudEvent);
      expect(event.validate()).toBe(true);
      expect(event).toMatchObject({
        specversion: '1.0',
        id: headers['webhook-id'],
        source: `urn:millpond:z0:${bucket}`,
        subject: 'a b/ü.txt',
        datacontenttype: 'application/json',
      });
      expect(mismatches(JSON.parse(text), DESCRIBED, {})).toEqual([]);
      const sent = { method, url, headers, body };
      expect(verifyEventRequest(sent, { keys: [target.account] })).toBe(true);
      expect(verifyWebhookRequest(sent, { secrets: await webhookSecrets() })).toBe(true);
    }
    const { putTime } = await recordOf(bucket, 'a b/ü.txt');
    expect(endpoint.requests.at(-1)?.text).toContain(`"putTime":${putTime}`);
  });

  test('is kept, and can be sent again with the same bytes [bucket-18]', async () => {
    const { bucket, endpoint } = await watched();
    await put(bucket, 'k', 'content');
    await expect.poll(() => endpoint.requests.length, SOON).toBe(1);
    const [{ id }] = toldAt(endpoint) as [ReceivedEvent];
    const at = (path = '') =>
      secureSigned({ method: 'GET', target: `/v1/deliveries/${id}${path}`, contentType: null });
    await expect.poll(async () => ((await at()).json() as { state: string }).state, SOON).toBe('delivered');
    expect((await at()).json()).toMatchObject({
      kind: 'object',
      subject: `created ${bucket}:k`,
      entity: `object ${bucket}:k`,
      contentType: 'application/cloudevents+json',
      body: endpoint.requests[0]?.text,
    });
    expect((await secureSigned({ target: `/v1/deliveries/${id}/resend` })).status).toBe(200);
    await expect.poll(() => endpoint.requests.length, SOON).toBe(2);
    expect(endpoint.requests[1]?.text).toBe(endpoint.requests[0]?.text);
  });

  test('waits in order while the receiver refuses [bucket-17]', async () => {
    const bucket = await newBucket();
    let isDown = true;
    const endpoint = receiver.at((response) =>
      response.writeHead(isDown ? 503 : 200, { 'retry-after': '0' }).end(),
    );
    await setRules(bucket, { name: 'all', url: endpoint.url, events: ALL });
    for (const content of ['one', 'two', 'three']) await put(bucket, 'k', content);
    await remove(bucket, 'k');
    await expect.poll(() => endpoint.requests.length, SOON).toBeGreaterThan(0);
    const refused = endpoint.requests.length;
    expect(new Set(namesAt(endpoint))).toEqual(new Set(['created.form k']));
    isDown = false;
    // Another URL is another receiver: what waits goes there at once.
    const up = receiver.at(json({}));
    await setRules(bucket, { name: 'all', url: up.url, events: ALL });
    const expected = ['created.form k', 'overwritten.form k', 'overwritten.form k', 'deleted.delete k'];
    await expect
      .poll(() => [...namesAt(endpoint).slice(refused), ...namesAt(up)].slice(-4), SOON)
      .toEqual(expected);
  });
});
