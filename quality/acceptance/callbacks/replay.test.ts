/** A signature that was made for a receiver is worth nothing on our own routes. */
import { dialects, formatEntry, signLegacyManagement } from '@millpond/protocol';
import { hashing, uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { rawFetch } from '../support/raw.ts';
import { json, type Received, useReceiver } from '../support/receivers/receiver.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { newBucket, stat, target } from '../support/target.ts';

const receiver = useReceiver();
const { account } = target;
const BODIES = [
  ['application/x-www-form-urlencoded', undefined],
  ['application/x-www-form-urlencoded', 'bucket=b&private=1'],
  ['application/json', '{}'],
] as const;

/** Paths that look like our signed calls. */
function routesFor(bucket: string): string[] {
  const entry = formatEntry(bucket, 'k');
  return [
    `/stat/${entry}`,
    `/delete/${entry}`,
    `/list?bucket=${bucket}`,
    '/private',
    '/v1/user/info',
    '/v1/user/children',
    `/mkbucketv3/${bucket}-new/region/z0`,
    '/v1/user/child_key?uid=1',
  ];
}

/** A letter behind its escape, which a reader that decodes first would take for the same. */
const escaped = (path: string) =>
  path.replace(/^\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`);

async function callbackTo(
  url: string,
  bucket: string,
  path: string,
  [callbackBodyType, callbackBody]: (typeof BODIES)[number],
): Promise<{ answer: Response; requests: readonly Received[] }> {
  const endpoint = receiver.at(json({}), path);
  const token = uploadToken(account, {
    scope: bucket,
    callbackUrl: endpoint.url,
    callbackBodyType,
    ...(callbackBody === undefined ? {} : { callbackBody }),
  });
  return { answer: await uploadForm(url, 'content', { token, key: 'k' }), requests: endpoint.requests };
}

/** Every status that a replay gets: at each host, with each method, under each scheme word. */
async function replay(urls: readonly string[], { target: path, headers, text }: Received): Promise<number[]> {
  const credential = (headers.authorization ?? '').replace(/^\w+ /, '');
  const statuses: number[] = [];
  for (const url of urls) {
    for (const scheme of ['Svc', 'SvcCb', 'Qiniu', 'QBox']) {
      for (const method of ['POST', 'GET']) {
        const answer = await rawFetch(
          {
            method,
            target: path,
            headers: [
              ['Authorization', `${scheme} ${credential}`],
              ['Content-Type', headers['content-type'] ?? ''],
            ],
            body: text,
          },
          url,
        );
        statuses.push(answer.status);
      }
    }
  }
  return statuses;
}

const refused = (statuses: readonly number[]) =>
  statuses.filter((status) => ![400, 401, 404, 405].includes(status));

describe('a replayed callback signature', () => {
  test('opens no route of ours, in the published dialect [G49]', async () => {
    const bucket = await newBucket();
    let replays = 0;
    for (const path of [...routesFor(bucket), ...routesFor(bucket).map(escaped)]) {
      for (const body of BODIES) {
        const { answer, requests } = await callbackTo(target.url, bucket, path, body);
        expect([path, answer.status]).toEqual([path, 200]);
        for (const received of requests) {
          const statuses = await replay([target.url], received);
          expect([path, refused(statuses)]).toEqual([path, []]);
          replays += statuses.length;
        }
      }
    }
    expect(replays).toBeGreaterThan(300);
    expect((await stat(bucket, 'k')).status).toBe(200);
  });

  test('is never made for a path of ours where the old signing is accepted [G49 callback-sign-rule-06]', {
    timeout: 300_000,
  }, async () => {
    const server = await startExtraGateway({ MILLPOND_DIALECT: 'qiniu' });
    const bucket = await newBucket();
    for (const path of routesFor(bucket).flatMap((route) => [route, `/x/..${route}`])) {
      for (const body of BODIES) {
        const { answer, requests } = await callbackTo(server.url, bucket, path, body);
        await expectRefusal(answer, 400, 'invalid put policy');
        expect(requests).toEqual([]);
      }
    }
    // What stands beside our routes may be called, and its signature opens nothing.
    for (const path of [
      '/callback',
      `//stat/${formatEntry(bucket, 'k')}`,
      '/statistics/x',
      '/x/stat/y',
      '/',
      ...routesFor(bucket).map(escaped),
    ]) {
      for (const body of BODIES) {
        const { answer, requests } = await callbackTo(server.url, bucket, path, body);
        expect([path, answer.status]).toEqual([path, 200]);
        for (const received of requests) {
          expect(received.headers.authorization).toMatch(/^QBox /);
          const statuses = await replay([server.url, target.url], received);
          expect([path, refused(statuses)]).toEqual([path, []]);
        }
      }
    }
    expect((await stat(bucket, 'k')).status).toBe(200);
  });

  test('would open them: the refusal is not for another reason', async () => {
    const server = await startExtraGateway({ MILLPOND_DIALECT: 'qiniu' });
    const bucket = await newBucket();
    const token = uploadToken(account, { scope: bucket });
    await uploadForm(server.url, 'content', { token, key: 'k' });
    const path = `/stat/${formatEntry(bucket, 'k')}`;
    const request = { target: path, contentType: 'application/json', body: undefined };
    const headers = [
      ['Authorization', signLegacyManagement(hashing, account, request, dialects.qiniu)],
      ['Content-Type', 'application/json'],
    ] as const;
    const answer = await rawFetch({ method: 'POST', target: path, headers, body: '{}' }, server.url);
    expect(answer.status).toBe(200);
  });
});
