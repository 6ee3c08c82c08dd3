/** The description that the server gives of itself, held against what it does. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { runCommand } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { mismatches } from '../support/matches-schema.ts';
import { secureSigned } from '../support/running/secure.ts';
import { type Call, sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

interface Operation {
  readonly operationId: string;
  readonly servers?: readonly { url: string; description: string }[];
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

let document: Document;
let bucket: string;

beforeAll(async () => {
  document = (await (await fetch(`${target.url}/v1/openapi.json`)).json()) as Document;
  bucket = await newBucket();
  const policy = { scope: bucket, deadline: Math.floor(Date.now() / 1000) + 600, endUser: 'me' };
  expect(
    (await upload(policy, 'hello world', { key: 'a.txt', fields: { 'x-svc-meta-color': 'red' } })).status,
  ).toBe(200);
  const rule = `bucket=${bucket}&name=described&prefix=tmp/&delete_after_days=3`;
  expect((await sendSigned({ target: '/rules/add', body: rule })).status).toBe(200);
});

test('is OpenAPI 3.1, for everybody, and names the host of each call', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.paths['/stat/{EncodedEntryURI}']?.get?.servers).toEqual([
    { url: target.url, description: '{rs_url}' },
  ]);
});

test('has every call that the server answers, and no other', async () => {
  const lines = (await runCommand(target.environment, ['routes', '--json'])).trim().split('\n');
  const routes = lines.map((line) => JSON.parse(line) as { methods: string; path: string });
  const served = routes
    // Downloads by the names of their hosts are the same call; pages ask before they call.
    .filter(({ methods, path }) => !path.startsWith('/~') && methods !== 'OPTIONS')
    .flatMap(({ methods, path }) => methods.split(',').map((method) => `${method} ${firstWords(path)}`));
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${firstWords(path)}`),
  );
  expect(described.sort()).toEqual(served.sort());
});

/** Up to what differs from call to call: both ways of writing a path say the same until there. */
function firstWords(path: string): string {
  if (path.startsWith('/v1/') || path.startsWith('/buckets/')) return path.replace(/\{\w+\}|:\w+/g, '…');
  return path.replace(/\/(?:\{|:|\*).*$/, '/…');
}

describe('answers are as described', () => {
  const entry = encodeBase64Text;
  const calls: readonly (readonly [string, string, string, () => Call])[] = [
    [
      'stat',
      '/stat/{EncodedEntryURI}',
      'get',
      () => ({ method: 'GET', target: `/stat/${formatEntry(bucket, 'a.txt')}` }),
    ],
    ['a page of a list', '/list', 'get', () => ({ method: 'GET', target: `/list?bucket=${bucket}` })],
    [
      'a batch',
      '/batch',
      'post',
      () => ({ target: '/batch', body: `op=/stat/${formatEntry(bucket, 'a.txt')}` }),
    ],
    ['names of buckets', '/buckets', 'get', () => ({ method: 'GET', target: '/buckets' })],
    ['records of buckets', '/buckets', 'get', () => ({ method: 'GET', target: '/buckets?apiVersion=v4' })],
    [
      'a quota',
      '/getbucketquota/{bucket}',
      'get',
      () => ({ method: 'GET', target: `/getbucketquota/${bucket}` }),
    ],
    ['regions', '/regions', 'get', () => ({ method: 'GET', target: '/regions' })],
    ['domains', '/v2/domains', 'get', () => ({ method: 'GET', target: `/v2/domains?tbl=${bucket}` })],
    [
      'settings of a bucket',
      '/v2/bucketInfo',
      'get',
      () => ({ method: 'GET', target: `/v2/bucketInfo?bucket=${bucket}` }),
    ],
    [
      'lifecycle rules',
      '/rules/get',
      'get',
      () => ({ method: 'GET', target: `/rules/get?bucket=${bucket}` }),
    ],
    ['access keys', '/v1/user/keys', 'get', () => ({ method: 'GET', target: '/v1/user/keys' })],
    [
      'webhook secrets',
      '/v1/user/webhook_secrets',
      'get',
      () => ({ method: 'GET', target: '/v1/user/webhook_secrets' }),
    ],
    [
      'a workflow',
      '/v1/workflows/{name}',
      'put',
      () => ({
        method: 'PUT',
        target: '/v1/workflows/described',
        contentType: 'application/json',
        body: JSON.stringify({ commands: 'qhash/md5' }),
      }),
    ],
    [
      'a new namespace',
      '/v1/namespaces',
      'post',
      () => ({
        target: '/v1/namespaces',
        contentType: 'application/json',
        body: JSON.stringify({ name: `described-${Date.now()}` }),
      }),
    ],
    ['namespaces', '/v1/namespaces', 'get', () => ({ method: 'GET', target: '/v1/namespaces' })],
    [
      'a new template',
      '/v1/templates',
      'post',
      () => ({
        target: '/v1/templates',
        contentType: 'application/json',
        body: JSON.stringify({ name: `described-${Date.now()}`, bucket }),
      }),
    ],
    ['tags', '/bucketTagging', 'get', () => ({ method: 'GET', target: `/bucketTagging?bucket=${bucket}` })],
    ['the account', '/v1/user/info', 'post', () => ({ target: '/v1/user/info' })],
    [
      'usage of a bucket',
      '/v1/usage',
      'get',
      () => ({ method: 'GET', target: `/v1/usage?bucket=${bucket}` }),
    ],
    ['usage of the account', '/v1/usage', 'get', () => ({ method: 'GET', target: '/v1/usage' })],
    ['tasks', '/v1/tasks', 'get', () => ({ method: 'GET', target: '/v1/tasks?limit=5' })],
    ['pipelines', '/v1/pipelines', 'get', () => ({ method: 'GET', target: '/v1/pipelines' })],
    [
      'styles',
      '/v1/buckets/{bucket}/styles',
      'get',
      () => ({ method: 'GET', target: `/v1/buckets/${bucket}/styles` }),
    ],
    ['deliveries', '/v1/deliveries', 'get', () => ({ method: 'GET', target: '/v1/deliveries?limit=5' })],
    [
      'endpoints',
      '/v1/deliveries/endpoints',
      'get',
      () => ({ method: 'GET', target: '/v1/deliveries/endpoints?limit=5' }),
    ],
    [
      'a task',
      '/pfop/',
      'post',
      () => ({
        target: '/pfop/',
        body: `bucket=${bucket}&key=a.txt&fops=qhash/md5|saveas/${entry(`${bucket}:md5`)}`,
      }),
    ],
  ];

  test.each(calls)('%s', async (_name, path, method, call) => {
    const isOverTls = /^\/(?:v1|pfop)\//.test(call().target);
    const answer = await (isOverTls ? secureSigned(call()) : sendSigned(call()));
    expect(answer.status).toBe(200);
    const schema = document.paths[path]?.[method]?.responses['200']?.content?.['application/json']?.schema;
    expect(schema).toBeDefined();
    expect(mismatches(JSON.parse(answer.body.toString()), schema ?? {}, document.components.schemas)).toEqual(
      [],
    );
  });

  test('a fault', async () => {
    const answer = await sendSigned({
      method: 'GET',
      target: `/stat/${formatEntry(bucket, 'none')}`,
    });
    expect(answer.status).toBe(612);
    expect(
      mismatches(JSON.parse(answer.body.toString()), document.components.schemas.Error ?? {}, {}),
    ).toEqual([]);
  });
});
