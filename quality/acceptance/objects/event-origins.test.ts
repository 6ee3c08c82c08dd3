/** Many rules, one origin: what an account can make this server send to somebody's host. */
import { type Account, createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { expect, test } from 'vitest';
import { bucketDo } from '../support/objects/buckets.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();
const SOON = { timeout: 60_000, interval: 20 };
const RULES = 12;
/** What an endpoint gets before it has answered anything. */
const AT_FIRST = 2;

async function put(account: Account, bucket: string, key: string): Promise<void> {
  const token = uploadToken(account, { scope: bucket });
  expect((await uploadForm(target.url, 'content', { token, key })).status).toBe(200);
}

async function watched(account: Account, name: string, urls: readonly string[]): Promise<string> {
  await createBucket(target.url, account, name);
  const rules = urls.map((url, n) => ({ name: `rule-${n}`, url, events: ['created'] }));
  await bucketDo(`/eventRules/set/${name}`, { body: JSON.stringify(rules) }, { url: target.url, account });
  return name;
}

test('twelve rules at one origin send as little at a time as one; those of another account do not wait [delivery-31]', async () => {
  const released = Promise.withResolvers<void>();
  const endpoints = Array.from({ length: RULES }, () =>
    receiver.at(async (response) => {
      await released.promise;
      response.writeHead(200).end('{}');
    }),
  );
  const other = receiver.at(json({}));
  const many = await watched(
    target.account,
    'origins-many',
    endpoints.map(({ url }) => url),
  );
  const one = await watched(target.stranger, 'origins-one', [other.url]);
  const arrived = () => endpoints.reduce((sum, { requests }) => sum + requests.length, 0);

  await put(target.account, many, 'a');
  await expect.poll(arrived, SOON).toBe(AT_FIRST);
  await put(target.stranger, one, 'a');
  await expect.poll(() => other.requests.length, SOON).toBe(1);
  expect(arrived()).toBe(AT_FIRST);
  released.resolve();
  await expect
    .poll(() => endpoints.map(({ requests }) => requests.length), SOON)
    .toEqual(Array(RULES).fill(1));
});
