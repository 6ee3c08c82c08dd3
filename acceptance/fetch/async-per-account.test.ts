/** Asynchronous fetches from origins that don't answer keep nobody else's from being made. */
import { createBucket } from '@millpond/testing';
import { expect, test } from 'vitest';
import { type AsyncStatus, asyncFetch, endOf, file } from '../support/fetching.ts';
import { createParent } from '../support/operator.ts';
import { type Script, useReceiver } from '../support/receiver.ts';
import { useSecureDeployment } from '../support/secure-deployment.ts';

const origin = useReceiver();
const own = useSecureDeployment({ MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' });
/** More than a process makes at a time. */
const MANY = 12;

test('an account with many fetches that hang leaves room for another’s, and loses none', {
  timeout: 120_000,
}, async () => {
  const { at } = own;
  const [hanging, other] = [
    await createParent(own.deployment.environment),
    await createParent(own.deployment.environment),
  ];
  await createBucket(own.server.url, hanging, 'hanging');
  await createBucket(own.server.url, other, 'others');
  const released = Promise.withResolvers<void>();
  const script: Script = async (response, received) => {
    await released.promise;
    await file('late')(response, received);
  };
  const slow = origin.at(script);
  const ask = async (keys: typeof other, fields: object): Promise<string> => {
    const answer = await asyncFetch({ ...fields }, { at, keys });
    expect(answer.status, answer.text()).toBe(200);
    return (answer.json() as AsyncStatus).id;
  };
  const ids: string[] = [];
  for (let number = 0; number < MANY; number++)
    ids.push(await ask(hanging, { url: slow.url, bucket: 'hanging', key: `k${number}` }));
  await expect.poll(() => slow.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);

  const quick = origin.at(file('quick')).url;
  const id = await ask(other, { url: quick, bucket: 'others', key: 'k' });
  // Well before those that hang are given up.
  expect(await endOf(id, { at, keys: other }, 20_000)).toMatchObject({ state: 'done' });

  released.resolve();
  for (const late of ids)
    expect(await endOf(late, { at, keys: hanging })).toMatchObject({ state: 'done', fsize: 4 });
});
