/** Prefetch: a mirrored file is fetched anew, over whatever is there. */
import { formatEntry, formatRequestDate } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import { file, image, mirroredBucket, prefetch, unimage } from '../support/objects/fetching.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { useRegion } from '../support/receivers/callbacks.ts';
import {
  cut,
  hang,
  redirect,
  reply,
  reset,
  type Script,
  useReceiver,
} from '../support/receivers/receiver.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { authorize, send, sendSigned } from '../support/signing.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

const origin = useReceiver();
let sources = 0;

/** A source of its own on the origin, with these files. */
function sourceOf(files: Readonly<Record<string, Script>>): string {
  sources += 1;
  for (const [path, script] of Object.entries(files)) origin.at(script, `/source-${sources}/${path}`);
  return `${origin.url}/source-${sources}`;
}

test('stores the file of the origin under its key, with an empty answer [prefetch-01 prefetch-05 prefetch-08]', async () => {
  const content = randomContent(100_000);
  const path = 'a/b%20c/%E4%B8%AD%3F%23%25.bin';
  const bucket = await mirroredBucket(sourceOf({ [path]: file(content, { 'content-type': 'image/x-own' }) }));
  const key = 'a/b c/中?#%.bin';
  const answer = await prefetch(bucket, key);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'application/json',
    '',
  ]);
  await expectContent(bucket, key, content);
  expect(await recordOf(bucket, key)).toMatchObject({ fsize: 100_000, mimeType: 'image/x-own' });
});

test('a source with a slash at its end names the same files', async () => {
  const bucket = await mirroredBucket(`${sourceOf({ k: file('x') })}/`);
  expect((await prefetch(bucket, 'k')).status).toBe(200);
});

test('carries the date and the form type of the interface [prefetch-07]', async () => {
  const bucket = await mirroredBucket(sourceOf({ k: file('x') }));
  const headers = { 'X-Svc-Date': formatRequestDate(new Date()) };
  const answer = await signedFetch(target.url, target.account, `/prefetch/${formatEntry(bucket, 'k')}`, {
    headers,
  });
  expect(answer.status).toBe(200);
});

test('overwrites an object of that name [prefetch-02]', async () => {
  const bucket = await mirroredBucket(sourceOf({ k: file('from the origin') }));
  await store('k', 'uploaded', { bucket });
  expect((await prefetch(bucket, 'k')).status).toBe(200);
  await expectContent(bucket, 'k', 'from the origin');
});

test('waits for a slow origin, and the object is there with the answer [prefetch-03]', async () => {
  const [asked, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Script = async (response) => {
    asked.resolve();
    await rest.promise;
    response.writeHead(200, { 'content-length': '4' }).end('slow');
  };
  const bucket = await mirroredBucket(sourceOf({ k: slow }));
  let isAnswered = false;
  const answering = prefetch(bucket, 'k').finally(() => {
    isAnswered = true;
  });
  await asked.promise;
  expect([isAnswered, (await stat(bucket, 'k')).status]).toEqual([false, 612]);
  rest.resolve();
  expect((await answering).status).toBe(200);
  expect((await stat(bucket, 'k')).status).toBe(200);
});

test('tells the sources the host that was set with them', async () => {
  const bucket = await newBucket();
  const seen: (string | undefined)[] = [];
  const source = sourceOf({
    k: (response, { headers }) => {
      seen.push(headers.host);
      response.writeHead(200, { 'content-length': '1' }).end('x');
    },
  });
  expect((await image(bucket, source, { host: 'origin.example.test' })).status).toBe(200);
  expect((await prefetch(bucket, 'k')).status).toBe(200);
  expect(seen).toEqual(['origin.example.test']);
});

describe('refused', () => {
  test('an entry that cannot be parsed, or more than an entry, is 400 [err-prefetch-01 err-prefetch-08]', async () => {
    const bucket = await mirroredBucket(sourceOf({}));
    const entry = formatEntry(bucket, 'k');
    for (const path of [
      '/prefetch/!',
      '/prefetch/',
      `/prefetch/${entry}/x`,
      `/prefetch/${formatEntry(bucket)}`,
    ])
      await expectRefusal(await signedFetch(target.url, target.account, path), 400, 'invalid argument');
  });

  test('an invalid credential is 401 [err-prefetch-02 err-prefetch-08]', async () => {
    const call = { target: `/prefetch/${formatEntry(await mirroredBucket(sourceOf({})), 'k')}` };
    const wrong = authorize(call, { keys: { ...target.account, secretKey: 'wrong' } });
    for (const authorization of [undefined, wrong]) {
      const answer = await send(call, authorization);
      expect([answer.status, answer.json()]).toEqual([401, { error: 'bad token' }]);
    }
  });

  test('a bucket without a mirror source is 400, also when it had one [prefetch-rule-01 bucket-08]', async () => {
    const bucket = await mirroredBucket(sourceOf({ k: file('x') }));
    expect((await unimage(bucket)).status).toBe(200);
    await expectRefusal(await prefetch(bucket, 'k'), 400, 'invalid argument');
    expect((await unimage(bucket)).status).toBe(200);
    await expectRefusal(await prefetch(await newBucket(), 'k'), 400, 'invalid argument');
  });

  test("a missing bucket and another account's are 404 alike [prefetch-rule-04]", async () => {
    const bucket = await mirroredBucket(sourceOf({ k: file('x') }));
    const answers = await Promise.all(
      [bucket, 'no-such-bucket'].map((name) =>
        sendSigned({ target: `/prefetch/${formatEntry(name, 'k')}` }, { keys: target.stranger }),
      ),
    );
    const comparable = answers.map(({ status, headers, body }) => [
      status,
      body.toString(),
      headers.filter(([name]) => name !== 'x-reqid' && name !== 'date'),
    ]);
    expect(comparable[0]?.slice(0, 2)).toEqual([404, '{"error":"not found"}']);
    expect(comparable[0]).toEqual(comparable[1]);
  });

  test('a file that the origin does not have is 404 [err-prefetch-03 err-prefetch-08]', async () => {
    const bucket = await mirroredBucket(sourceOf({}));
    await expectRefusal(await prefetch(bucket, 'k'), 404, 'not found');
  });

  test('a key with a segment . or .. is never asked for: it would lead out of the source', async () => {
    const outside = origin.at(file('secret'), '/outside');
    const bucket = await mirroredBucket(sourceOf({}));
    for (const key of ['../outside', 'a/../../outside', './../outside', '..'])
      await expectRefusal(await prefetch(bucket, key), 404, 'not found');
    // Encoded twice is a name like any other.
    await expectRefusal(await prefetch(bucket, '%2e%2e/outside'), 404, 'not found');
    await expectRefusal(await prefetch(bucket, '..\\outside'), 404, 'not found');
    expect(outside.requests).toEqual([]);
  });

  const answers: [string, Script][] = [
    ...[201, 204, 206, 300, 301, 304, 400, 403, 410, 500, 503].map(
      (status) => [`answers ${status}`, reply(status)] as [string, Script],
    ),
    ['redirects to the file', redirect('/there')],
    ['breaks off', cut],
    ['resets', reset],
  ];
  test.each(answers)(
    'an origin that %s gives 478, and what was there stays [err-prefetch-04 err-prefetch-05 err-prefetch-06 prefetch-rule-02 prefetch-rule-05 err-prefetch-08 G36]',
    async (_what, script) => {
      origin.at(file('moved'), '/there');
      const bucket = await mirroredBucket(sourceOf({ k: script }));
      await store('k', 'uploaded', { bucket });
      const before = await recordOf(bucket, 'k');
      await expectRefusal(await prefetch(bucket, 'k'), 478, 'origin failed');
      expect(await recordOf(bucket, 'k')).toEqual(before);
      await expectContent(bucket, 'k', 'uploaded');
    },
  );

  test('an origin that refuses the connection gives 478 [G36 error-04]', async () => {
    await expectRefusal(
      await prefetch(await mirroredBucket('http://127.0.0.1:9'), 'k'),
      478,
      'origin failed',
    );
  });

  test('an origin that never finishes gives 478 in time [prefetch-04 prefetch-rule-02 G36]', {
    timeout: 300_000,
  }, async () => {
    const server = await startExtraGateway({ MILLPOND_FETCH_TIMEOUT: '2s' });
    const bucket = await mirroredBucket(sourceOf({ k: hang }));
    await expectRefusal(await prefetch(bucket, 'k', { url: server.url }), 478, 'origin failed');
  });
});

describe('several sources', () => {
  const source = (script: Script) => sourceOf({ k: script });

  test.each([
    ['has not got the file', reply(404)],
    ['fails', reply(500)],
    ['breaks off in the middle', cut],
    ['resets', reset],
  ])('the next is asked when one %s [prefetch-rule-06]', async (_what, script) => {
    const bucket = await mirroredBucket(source(script), source(file('second')), source(file('third')));
    expect((await prefetch(bucket, 'k')).status).toBe(200);
    await expectContent(bucket, 'k', 'second');
  });

  test('the next is asked in time when one says nothing [prefetch-rule-06]', {
    timeout: 300_000,
  }, async () => {
    const server = await startExtraGateway({ MILLPOND_FETCH_TIMEOUT: '6s' });
    const bucket = await mirroredBucket(source(hang), source(file('second')));
    expect((await prefetch(bucket, 'k', { url: server.url })).status).toBe(200);
    await expectContent(bucket, 'k', 'second');
  });

  test('404 only when none of them has it; 478 when one could not be asked', async () => {
    const none = await mirroredBucket(source(reply(404)), source(reply(404)));
    await expectRefusal(await prefetch(none, 'k'), 404, 'not found');
    for (const pair of [
      [reply(404), reply(500)],
      [reply(500), reply(404)],
    ]) {
      const unsure = await mirroredBucket(...pair.map(source));
      await expectRefusal(await prefetch(unsure, 'k'), 478, 'origin failed');
    }
  });
});

describe('slower than an upload', () => {
  const region = useRegion();

  test('it overwrites the newer upload, whose bytes stay in the trash [prefetch-rule-03 G37]', async () => {
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const script: Script = async (response) => {
      asked.resolve();
      await answer.promise;
      response.writeHead(200, { 'content-length': '3' }).end('old');
    };
    const bucket = await mirroredBucket(sourceOf({ k: script }));
    const prefetching = prefetch(bucket, 'k');
    await asked.promise;
    expect((await upload({ scope: bucket }, 'newer', { key: 'k' })).status).toBe(200);
    const { hash } = await recordOf(bucket, 'k');
    answer.resolve();
    expect((await prefetching).status).toBe(200);
    await expectContent(bucket, 'k', 'old');
    expect(await region.database.trashOf(hash)).toEqual([{ reason: 'replaced', key: 'k', hash }]);
  });
});
