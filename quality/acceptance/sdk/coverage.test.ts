/** The server describes every call that it answers; our client has a method for each of them. */
import { createUploader, nodeTransport, type Transport } from '@millpond/client';
import { Client, operations } from '@millpond/client/server';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { expect, test } from 'vitest';
import { collected } from '../support/running/sdk.ts';
import { target } from '../support/target.ts';

interface Document {
  readonly paths: Record<string, Record<string, { servers?: { description: string }[] }>>;
}

/** Other ways to say the same, kept for Qiniu’s clients; and the document itself. */
const NOT_OURS = [
  /^\S+ \/v1\/user\/(?:en|dis)able-child$/,
  /^POST \/pfop$/,
  /^HEAD /,
  /^POST \/(?:mkblk|bput|mkfile)\//,
  /^GET \/v1\/openapi\.json$/,
  // For engines and players; and what no engine here can do.
  /^POST \/v1\/hooks\/|^GET \/v1\/play\//,
  // Reads that answer to both methods.
  /^POST \/(?:stat|list|v2\/list|buckets|v2\/bucketInfo|v[234]\/(?:query|domains)|(?:cors|event)Rules\/get|rules\/get|getbucketquota)\b/,
];

/** These stand for all that follows. */
const segment = (_: string, name: string) => (/^(?:key|rules|changes|pairs)$/.test(name) ? '.+' : '[^/]+');

const BLOCK = new Uint8Array(4 * 1024 * 1024);
const ANSWER = {
  etag: etagOf(hashing, BLOCK),
  items: [],
  buckets: [],
  parts: [],
  Tags: [],
  hash: 'x',
  code: 0,
  uploadId: 'u',
  expireAt: 2_000_000_000,
  partNumberMarker: 0,
  count: 0,
};

async function document(): Promise<Document> {
  const transport = nodeTransport({ ca: target.secure.certificate });
  const answer = await transport({ method: 'GET', url: `${target.secure.url}/v1/openapi.json`, headers: {} });
  expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/json']);
  return JSON.parse(await answer.text()) as Document;
}

test('the client calls all of them', async () => {
  const called = new Set<string>();
  const transport: Transport = async ({ method, url }) => {
    called.add(`${method} ${new URL(url).pathname}`);
    const body = url.includes('/batch') || url.includes('/buckets?') ? { ...ANSWER } : ANSWER;
    const text = JSON.stringify(url.includes('/batch') ? [] : body);
    return {
      status: 200,
      header: (name) => (name === 'content-length' ? '0' : undefined),
      text: async () => text,
      chunks: async function* () {},
      discard: () => undefined,
    };
  };
  const client = new Client({
    url: 'http://server',
    credentials: { accessKey: 'a', secretKey: 's' },
    transport,
  });
  const { objects, trash, bulk, buckets, fetches, processing, deliveries, requests, accounts } = client;
  const { sessions, accessTokens, live, signing } = client;
  const [from, to] = [
    { bucket: 'b', key: 'k' },
    { bucket: 'b', key: 'l' },
  ];
  await objects.stat('b', 'k');
  await objects.delete('b', 'k');
  await objects.copy(from, to);
  await objects.move(from, to);
  await objects.changeStatus('b', 'k', true);
  await objects.deleteAfterDays('b', 'k', 1);
  await objects.lifecycle('b', 'k', { deleteAfterDays: 3 });
  await objects.changeMetadata('b', 'k', { mimeType: 'a/b' });
  await objects.restore('b', 'k', 1);
  await objects.changeType('b', 'k', 1);
  await objects.batch([operations.stat('b', 'k')]);
  await objects.page('b');
  await collected(objects.list('b'));
  await collected(trash.list('b'));
  await trash.undelete('b', ['1']);
  await bulk.submit({ kind: 'delete', bucket: 'b', prefix: '' });
  await collected(bulk.list());
  await bulk.get('id');
  await bulk.stop('id');
  await fetches.fetch('http://origin/', 'b', 'k');
  await fetches.prefetch('b', 'k');
  await fetches.start({ url: 'http://origin/', bucket: 'b' });
  await fetches.status('id');
  await buckets.create('b', 'z0');
  await buckets.create('b', 'z0', { private: true });
  await buckets.drop('b');
  await buckets.setPrivate('b', true);
  await buckets.names();
  await buckets.info('b');
  await buckets.regions();
  for (const form of ['v4', 'v3', 'v2'] as const) await buckets.query('a', 'b', { form });
  await buckets.setCors('b', []);
  await buckets.cors('b');
  await buckets.setEventRules('b', []);
  await buckets.eventRules('b');
  await buckets.tags('b');
  await buckets.setTags('b', []);
  await buckets.removeTags('b');
  await buckets.domains('b');
  await buckets.domainRecords('b');
  await buckets.bindDomain('d', 'b');
  await buckets.unbindDomain('d');
  await buckets.addLifecycle('b', { name: 'n', prefix: '' });
  await buckets.previewLifecycle('b', { prefix: '' });
  await buckets.updateLifecycle('b', { name: 'n', prefix: '' });
  await buckets.removeLifecycle('b', 'n');
  await buckets.lifecycle('b');
  await buckets.setQuota('b', { size: 1, count: 2 });
  await buckets.quota('b');
  await buckets.setMirror('b', ['http://origin']);
  await buckets.removeMirror('b');
  await processing.submit({ bucket: 'b', key: 'k', fops: 'f' });
  await processing.status('id');
  await collected(processing.tasks());
  await processing.task('id');
  await processing.cancel('id');
  await processing.rerun('id');
  await processing.workflows();
  await processing.workflow('n');
  await processing.putWorkflow('n', 'f');
  await processing.removeWorkflow('n');
  await processing.triggers();
  await processing.addTrigger({ bucket: 'b', workflow: 'n' });
  await processing.removeTrigger('id');
  await processing.pipelines();
  await processing.putPipeline('n', 1);
  await processing.removePipeline('n');
  await processing.styles('b');
  await processing.setStyleRules('b', {});
  await processing.putStyle('b', 'n', 'c');
  await processing.removeStyle('b', 'n');
  await collected(deliveries.list());
  await deliveries.get('id');
  await deliveries.resend('id');
  await deliveries.recover({ since: '0' });
  await deliveries.replay({ since: '0' });
  await collected(deliveries.endpoints());
  await deliveries.resume('1');
  await deliveries.test('1');
  await sessions.list();
  await sessions.end('id');
  await sessions.endOthers();
  await accessTokens.list();
  await accessTokens.end('id');
  await accessTokens.endAll();
  await requests.get('id');
  await accounts.info();
  await accounts.children();
  await accounts.createChild('e', 'p');
  await accounts.disableChild(1, 'r');
  await accounts.enableChild(1);
  await accounts.childKeys({ uid: 1 });
  await accounts.keys();
  await accounts.createKey({ limits: { actions: ['read'] } });
  await accounts.limitKey('k', 'unlimited');
  await accounts.disableKey('k');
  await accounts.enableKey('k');
  await accounts.deleteKey('k');
  await collected(accounts.audit());
  await accounts.webhookSecrets();
  await accounts.exchangeWebhookSecret({ keepOld: 60 });
  await accounts.login('u', 'p');
  await signing.uploadToken({ scope: 'b' });
  await signing.downloadUrl('b', 'k');
  await accounts.usage();
  await client.operator.figures({ names: ['restores'] });
  await client.operator.health();
  await client.overview();
  await collected(client.failures());
  await collected(client.operator.accounts());
  await client.operator.disableAccount(1, 'why');
  await client.operator.enableAccount(1);
  await live.createNamespace({ name: 'n' });
  await collected(live.namespaces());
  await live.namespace('n');
  await live.changeNamespace('n', { desc: null });
  await live.removeNamespace('n');
  await live.enableNamespace('n');
  await live.disableNamespace('n');
  await live.createTemplate({ name: 'n', bucket: 'b' });
  await collected(live.templates());
  await live.template('t');
  await live.changeTemplate('t', { desc: 'd' });
  await live.removeTemplate('t');
  const streams = live.streams('n');
  await streams.create({ streamId: 's' });
  await collected(streams.list({ state: 'online' }));
  await streams.get('s');
  await streams.change('s', { desc: 'd' });
  await streams.remove('s');
  await streams.enable('s');
  await streams.disable('s');
  await streams.stop('s');
  await streams.changeKey('s');
  await streams.urls('s');
  await streams.publishers('s');
  await streams.figures('s');
  await streams.startRecording('s');
  await streams.stopRecording('s');
  await collected(streams.recordings('s'));
  await streams.removeRecordings('s', ['f']);
  await streams.playback('s', { start: 1, end: 2 });
  await streams.takeSnapshot('s');
  await collected(streams.snapshots('s'));
  await streams.removeSnapshots('s', ['f']);
  const devices = live.devices('n');
  await devices.create({ password: 'p' });
  await collected(devices.list({ type: 'camera' }));
  await devices.get('d');
  await devices.change('d', { name: 'n' });
  await devices.remove('d');
  await devices.fetchCatalog('d');
  await devices.start('d', { channels: ['c'] });
  await devices.stop('d');
  await collected(devices.channels('d'));
  await devices.channelCounts('d');
  await devices.channel('d', 'c');
  await devices.removeChannel('d', 'c');
  await client.download('b', 'k');
  await client.upload('b', 'k', 'small');
  // In parts: begun, listed, sent, completed, given up. Both parts are the same, so one answer does for each.
  const token = client.uploadToken({ scope: 'b:k' });
  const uploader = createUploader({ url: 'http://server', transport });
  const journal = {
    get: async () => ({ uploadId: 'u', expireAt: 4_000_000_000, partSize: 4_194_304 }),
    set: async () => undefined,
    remove: async () => undefined,
  };
  const size = 2 * BLOCK.length;
  const source = { size, identity: 'i', read: async () => BLOCK };
  await uploader.upload(source, { token, key: 'k', journal: null });
  await uploader.upload(source, { token, key: 'k', journal });
  await uploader.giveUp('u', { token, key: 'k' });

  const missing: string[] = [];
  for (const [path, methods] of Object.entries((await document()).paths)) {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, segment)}$`);
    for (const method of Object.keys(methods)) {
      const call = `${method.toUpperCase()} ${path}`;
      if (NOT_OURS.some((other) => other.test(call))) continue;
      const isCalled = [...called].some((each) => {
        const [verb = '', where = ''] = each.split(' ');
        return verb === method.toUpperCase() && pattern.test(where);
      });
      if (!isCalled) missing.push(call);
    }
  }
  expect(missing).toEqual([]);
});
