/** URLs that lead inside, in every call that takes one: nobody is ever connected to. */
import { createBucket, hostileUrls, stat } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { useCanaries } from '../support/canaries.ts';
import {
  type AsyncStatus,
  asyncFetch,
  asyncStatus,
  fetchInto,
  image,
  prefetch,
} from '../support/objects/fetching.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';
import { newBucket } from '../support/target.ts';

const MAX_CONCURRENT = 8;
const BUCKET = 'hostile';
const canaries = useCanaries();
const own = useSecureDeployment({ MILLPOND_OUTBOUND_ALLOW: '', MILLPOND_LOG_LEVEL: 'error' });
let person: Person;

beforeAll(async () => {
  person = await createParent(own.deployment.environment);
  await createBucket(own.server.url, person, BUCKET);
});

const urls = () =>
  hostileUrls(canaries.port)
    .map(({ url }) => url)
    .filter((url) => url !== '');
/** Written as one, with a host that can be one, and nobody's name or password. */
function isHttpUrl(url: string): boolean {
  const authority = /^https?:\/\/([^/\\?#\s\p{Cc}]+)/iu.exec(url)?.[1];
  const parsed = URL.parse(url);
  const isPlain = !/[\s\p{Cc}]/u.test(url) && url.length <= 2048 && parsed?.port !== '0';
  return authority !== undefined && !authority.includes('@') && parsed !== null && isPlain;
}
const options = (key: string) => ({ key, url: own.server.url, keys: person });

/** Each URL in turn, a few at a time. */
async function forAll(work: (url: string, index: number) => Promise<void>): Promise<void> {
  const waiting = [...urls().entries()];
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next[1], next[0]);
    }),
  );
}

test('the canary would notice: where its address is open, it is called', async () => {
  const bucket = await newBucket();
  expect((await fetchInto(bucket, `http://127.0.0.1:${canaries.port}/`)).status).toBe(478);
  expect(canaries.connections).toBe(1);
  canaries.reset();
  expect(urls().length).toBeGreaterThanOrEqual(120);
});

describe('no connection by', () => {
  test('fetch: 478, or 400 where it is no URL, and nothing is stored [fetch-rule-04 fetch-rule-05 outbound-01 outbound-02 outbound-03 outbound-04 outbound-05 G38]', async () => {
    await forAll(async (url, index) => {
      const answer = await fetchInto(BUCKET, url, options(`fetched ${index}`));
      expect([answer.status, url]).toEqual([isHttpUrl(url) ? 478 : 400, url]);
      expect((await stat(own.server.url, person, BUCKET, `fetched ${index}`)).status).toBe(612);
    });
    expect(urls().filter(isHttpUrl).length).toBeGreaterThan(100);
    expect(canaries.connections).toBe(0);
  });

  test('the Host of a fetch, which leads nowhere [fetch-rule-15 G38]', async () => {
    for (const [host, status] of [
      ['127.0.0.1', 478],
      [`127.0.0.1:${canaries.port}`, 478],
      ['localhost', 478],
      ['[::1]', 478],
      ['a b', 400],
      ['x\r\ny: z', 400],
      ['user@example.com', 400],
      ['example.com/path', 400],
      ['example.com:99999', 400],
    ] as const) {
      const answer = await fetchInto(BUCKET, 'http://no-such-name.invalid/', { ...options('host'), host });
      expect([answer.status, host]).toEqual([status, host]);
    }
    expect(canaries.connections).toBe(0);
  });

  test('a mirror: refused as a source, or 478 where it is asked, by prefetch and by download [G38]', async () => {
    const asked: string[] = [];
    // One after the other: they are the same bucket's.
    for (const [index, url] of urls().entries()) {
      const set = await image(BUCKET, url, options(''));
      if (set.status === 400) continue;
      expect([set.status, url]).toEqual([200, url]);
      asked.push(url);
      const key = `mirrored ${index}`;
      expect([(await prefetch(BUCKET, key, options(''))).status, url]).toEqual([478, url]);
      const read = await fetch(`${own.server.url}/${BUCKET}/${encodeURIComponent(key)}`);
      expect([read.status, url]).toEqual([478, url]);
    }
    expect(asked.length).toBeGreaterThan(100);
    expect(canaries.connections).toBe(0);
  });

  test('an asynchronous fetch: refused, or failed at once [G38]', async () => {
    const signer = { at: own.at, keys: person };
    const ids: string[] = [];
    await forAll(async (url, index) => {
      const answer = await asyncFetch({ url, bucket: BUCKET, key: `async ${index}` }, signer);
      if (answer.status === 400) return;
      expect([answer.status, url]).toEqual([200, url]);
      ids.push((answer.json() as AsyncStatus).id);
    });
    expect(ids.length).toBeGreaterThan(100);
    const statuses = () =>
      Promise.all(ids.map(async (id) => (await asyncStatus(id, signer)).json() as AsyncStatus));
    const untried = async () => (await statuses()).filter(({ wait }) => wait === 0).length;
    await expect.poll(untried).toBe(0);
    // Names that have no address today may have one tomorrow: those are tried again.
    const ends = (await statuses()).map(({ state }) => state);
    expect(ends).not.toContain('done');
    expect(ends.filter((state) => state === 'failed').length).toBeGreaterThan(100);
    expect(canaries.connections).toBe(0);
  });

  test('the callback of an asynchronous fetch, or its Host', async () => {
    const signer = { at: own.at, keys: person };
    const answer = await asyncFetch(
      { url: 'http://example.test/', bucket: BUCKET, callbackurl: 'ftp://127.0.0.1/', callbackbody: 'x' },
      signer,
    );
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
  });
});
