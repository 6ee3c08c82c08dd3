/** Origins that don't answer take what one account may have, and nothing of what others need. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { fetchInto, file, mirroredBucket } from '../support/objects/fetching.ts';
import { json, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { newBucket, target } from '../support/target.ts';

const origin = useReceiver();
const STRANGERS = `s-${process.pid}-per-account`;
const SETTINGS = {
  MILLPOND_FETCHES_PER_ACCOUNT: '2',
  MILLPOND_MIRROR_FILLS: '1',
  MILLPOND_FETCH_TIMEOUT: '1h',
};

beforeAll(() => createBucket(target.url, target.stranger, STRANGERS));

/** Says nothing until it is let. */
function held(): { script: Script; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    release: resolve,
    async script(response, received) {
      await promise;
      await file('late')(response, received);
    },
  };
}

test('an account fetches so many files at a time; others, and callbacks, go on', async () => {
  const { url } = await startExtraGateway(SETTINGS);
  const bucket = await newBucket();
  const { script, release } = held();
  const slow = origin.at(script);
  const fetching = ['a', 'b'].map((key) => fetchInto(bucket, slow.url, { key, url }));
  await expect.poll(() => slow.requests.length).toBe(2);
  const quick = origin.at(file('quick')).url;
  const third = await fetchInto(bucket, quick, { key: 'c', url });
  expect(third.headers.get('retry-after')).toBe('1');
  await expectRefusal(third, 573, 'too many requests');

  const others = await fetchInto(STRANGERS, quick, { key: 'c', url, keys: target.stranger });
  expect(others.status).toBe(200);
  const callback = origin.at(json({ called: true }));
  const token = uploadToken(target.account, {
    scope: bucket,
    callbackUrl: callback.url,
    callbackBody: 'key=$(key)',
  });
  const uploaded = await uploadForm(url, 'x', { token, key: 'called' });
  expect([uploaded.status, await uploaded.json()]).toEqual([200, { called: true }]);

  release();
  for (const answer of await Promise.all(fetching)) expect(answer.status).toBe(200);
  expect((await fetchInto(bucket, quick, { key: 'c', url })).status).toBe(200);
});

test('the mirrored buckets of an account have so many together, and the rest wait', async () => {
  const { url } = await startExtraGateway(SETTINGS);
  const { script, release } = held();
  const slow = origin.at(script, '/slow/k');
  const quick = origin.at(file('quick'), '/quick/k');
  const source = (endpoint: { url: string }) => endpoint.url.replace(/\/k$/, '');
  const buckets = await Promise.all([slow, slow, quick].map((endpoint) => mirroredBucket(source(endpoint))));
  const [first, second, third] = buckets.map((bucket) => `${url}/${bucket}/k`) as [string, string, string];
  const hanging = [first, second].map((address) => fetch(address));
  await expect.poll(() => slow.requests.length).toBe(2);
  const waiting = fetch(third);
  expect((await fetchInto(STRANGERS, quick.url, { key: 'm', url, keys: target.stranger })).status).toBe(200);
  expect(quick.requests.length).toBe(1);
  release();
  for (const answer of await Promise.all(hanging)) expect(await answer.text()).toBe('late');
  expect([await (await waiting).text(), quick.requests.length]).toEqual(['quick', 2]);
});
