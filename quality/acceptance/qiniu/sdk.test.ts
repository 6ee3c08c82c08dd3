/** Qiniu's public SDK for Node, as it is published: only the hosts are ours. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { etagOf } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  hashing,
  type ServerProcess,
} from '@millpond/testing';
import qiniu from 'qiniu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { type Received, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BUCKET = 'family';
const RETURN_BODY =
  '{"key":$(key),"hash":$(etag),"size":$(fsize),"name":$(fname),"type":$(mimeType),"bucket":$(bucket),"a":$(x:a)}';

const receiver = useReceiver();
let folder: string;
let deployment: Deployment;
let server: ServerProcess;
let account: Account;
let mac: qiniu.auth.digest.Mac;
let config: qiniu.conf.Config;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-sdk-'));
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_DIALECT: 'qiniu', MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
  const { host } = new URL(server.url);
  mac = new qiniu.auth.digest.Mac(account.accessKey, account.secretKey);
  config = new qiniu.conf.Config({
    useHttpsDomain: false,
    zone: new qiniu.conf.Zone([host], [host], host, host, host, host),
  });
});
afterAll(async () => {
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

function tokenFor(policy: Partial<qiniu.rs.PutPolicyOptions>): string {
  return new qiniu.rs.PutPolicy({ scope: BUCKET, ...policy }).uploadToken(mac);
}

async function fileOf(name: string, content: Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

async function expectDownload(
  key: string,
  content: Uint8Array,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await fetch(`${server.url}/${BUCKET}/${key}`);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
}

/** Whether the SDK takes a callback for a real one, as its documentation tells receivers to check. */
function isGenuine({ target, headers, text }: Received): boolean {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return qiniu.util.isQiniuCallback(
    mac,
    receiver.url + target,
    isForm ? text : null,
    headers.authorization ?? '',
  );
}

describe('forms', () => {
  test('put bytes, with variables and metadata, answer by returnBody [dialect-05]', async () => {
    const content = randomContent(100_000);
    const extra = new qiniu.form_up.PutExtra(
      'ü.bin',
      { 'x:a': 'v 1' },
      'application/x-own',
      undefined,
      true,
      {
        'x-qn-meta-colour': 'blue',
      },
    );
    const uploader = new qiniu.form_up.FormUploader(config);
    const { data, resp } = await uploader.put(
      tokenFor({ returnBody: RETURN_BODY }),
      'form',
      Buffer.from(content),
      extra,
    );
    expect(resp.statusCode).toBe(200);
    expect(data).toEqual({
      key: 'form',
      hash: etagOf(hashing, content),
      size: content.length,
      name: 'ü.bin',
      type: 'application/x-own',
      bucket: BUCKET,
      a: 'v 1',
    });
    await expectDownload('form', content, {
      'content-type': 'application/x-own',
      'x-qn-meta-colour': 'blue',
    });
  });

  test('put files and streams, with and without a key', async () => {
    const uploader = new qiniu.form_up.FormUploader(config);
    const content = randomContent(5 * MIB);
    const file = await fileOf('form.bin', content);
    const hash = etagOf(hashing, content);
    const named = await uploader.putFile(tokenFor({}), 'form-file', file, new qiniu.form_up.PutExtra());
    expect([named.resp.statusCode, named.data]).toEqual([200, { hash, key: 'form-file' }]);
    const unnamed = await uploader.putFileWithoutKey(tokenFor({}), file, new qiniu.form_up.PutExtra());
    expect([unnamed.resp.statusCode, unnamed.data]).toEqual([200, { hash, key: hash }]);
    await expectDownload(hash, content);
  });

  test('errors reach the caller with their status and text', async () => {
    const uploader = new qiniu.form_up.FormUploader(config);
    await uploader.put(tokenFor({}), 'exists', 'one', new qiniu.form_up.PutExtra());
    const { data, resp } = await uploader.put(tokenFor({}), 'exists', 'two', new qiniu.form_up.PutExtra());
    expect([resp.statusCode, data]).toMatchObject([614, { error: 'file exists' }]);
  });
});

describe.each(['v1', 'v2'] as const)('resumable %s', (version) => {
  const extraOf = (
    options: {
      progress?: (bytes: number) => void;
      partSize?: number;
      recorder?: qiniu.resume_up.ResumeRecorder;
    } = {},
  ) =>
    qiniu.resume_up.PutExtra.create(
      'ü.bin',
      { 'x:a': 'v 1' },
      'application/x-own',
      undefined,
      options.progress,
      options.partSize,
      version,
      { 'x-qn-meta-colour': 'blue' },
      options.recorder,
    );

  test.each([
    ['small', 1000],
    ['of one block', 4 * MIB],
    ['of several blocks', 9 * MIB + 1],
  ])('puts a file that is %s, with variables and metadata, answers by returnBody', async (name, size) => {
    const content = randomContent(size);
    const key = `${version}-${size}`;
    const file = await fileOf(key, content);
    const uploader = new qiniu.resume_up.ResumeUploader(config);
    const { data, resp } = await uploader.putFileV2(
      tokenFor({ returnBody: RETURN_BODY }),
      key,
      file,
      extraOf(),
    );
    expect(resp.statusCode, name).toBe(200);
    expect(data).toEqual({
      key,
      hash: etagOf(hashing, content),
      size,
      name: 'ü.bin',
      type: 'application/x-own',
      bucket: BUCKET,
      a: 'v 1',
    });
    await expectDownload(key, content, { 'content-type': 'application/x-own', 'x-qn-meta-colour': 'blue' });
  });

  test('without a key the object is named by its hash', async () => {
    const content = randomContent(5 * MIB);
    const uploader = new qiniu.resume_up.ResumeUploader(config);
    const file = await fileOf(`${version}-unnamed`, content);
    const { data, resp } = await uploader.putFileWithoutKeyV2(tokenFor({}), file, extraOf());
    const hash = etagOf(hashing, content);
    expect([resp.statusCode, data]).toEqual([200, { hash, key: hash, 'x:a': 'v 1' }]);
  });

  test('an upload that broke off goes on where its record says', async () => {
    const content = randomContent(13 * MIB);
    const key = `${version}-broken`;
    const file = await fileOf(key, content);
    const recorder = qiniu.resume_up.createResumeRecorderSync(path.join(folder, `records-${version}`));
    const uploader = new qiniu.resume_up.ResumeUploader(config);
    const breaking = extraOf({
      recorder,
      progress: (bytes) => {
        if (bytes >= 8 * MIB) throw new Error('the line is cut');
      },
    });
    await expect(uploader.putFileV2(tokenFor({}), key, file, breaking)).rejects.toThrow('the line is cut');
    const sent: number[] = [];
    const again = extraOf({ recorder, progress: (bytes) => void sent.push(bytes) });
    const { data, resp } = await uploader.putFileV2(tokenFor({}), key, file, again);
    expect([resp.statusCode, data]).toEqual([200, { hash: etagOf(hashing, content), key, 'x:a': 'v 1' }]);
    // The first two blocks were not sent again.
    expect(sent).toEqual([12 * MIB, 13 * MIB]);
    await expectDownload(key, content);
  });

  test('its callback is genuine, and what the receiver says is the answer [dialect-05]', async () => {
    const endpoint = receiver.at((response, received) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ genuine: isGenuine(received), said: received.text }));
    });
    const content = randomContent(5 * MIB);
    const key = `${version}-callback`;
    const file = await fileOf(key, content);
    const uploader = new qiniu.resume_up.ResumeUploader(config);
    const token = tokenFor({ callbackUrl: endpoint.url, callbackBody: 'key=$(key)&size=$(fsize)&a=$(x:a)' });
    const { data, resp } = await uploader.putFileV2(token, key, file, extraOf());
    expect([resp.statusCode, data]).toEqual([
      200,
      { genuine: true, said: `key=${key}&size=${content.length}&a=v+1` },
    ]);
  });
});

test('parts of another size than 4 MiB give the hash of parts', async () => {
  const content = randomContent(3 * MIB);
  const file = await fileOf('off-grid', content);
  const extra = qiniu.resume_up.PutExtra.create('f', {}, undefined, undefined, undefined, 2 * MIB, 'v2');
  const uploader = new qiniu.resume_up.ResumeUploader(config);
  const { data, resp } = await uploader.putFileV2(tokenFor({}), 'off-grid', file, extra);
  expect([resp.statusCode, data]).toEqual([200, { hash: expect.stringMatching(/^n/), key: 'off-grid' }]);
  await expectDownload('off-grid', content);
});

test.each([
  ['application/x-www-form-urlencoded', 'key=$(key)&hash=$(etag)&name=$(fname)&b=$(x:b)'],
  ['application/json', '{"key":$(key),"hash":$(etag),"name":$(fname),"b":$(x:b)}'],
])(
  'a callback of type %s is verified by isQiniuCallback, and a changed one is not',
  async (callbackBodyType, callbackBody) => {
    let seen: Received | undefined;
    const endpoint = receiver.at((response, received) => {
      seen = received;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
    const uploader = new qiniu.form_up.FormUploader(config);
    const extra = new qiniu.form_up.PutExtra('ü &=.txt', { 'x:b': 'a/b c' });
    const token = tokenFor({ callbackUrl: `${endpoint.url}?of=form`, callbackBody, callbackBodyType });
    const { data, resp } = await uploader.put(token, `callback ${callbackBodyType}`, 'content', extra);
    expect([resp.statusCode, data]).toEqual([200, { ok: true }]);
    if (seen === undefined) throw new Error('no callback came');
    expect(seen.headers['content-type']).toBe(callbackBodyType);
    expect(isGenuine(seen)).toBe(true);
    expect(isGenuine({ ...seen, target: `${seen.target}x` })).toBe(false);
    if (callbackBodyType !== 'application/json')
      expect(isGenuine({ ...seen, text: `${seen.text}x` })).toBe(false);
  },
);
