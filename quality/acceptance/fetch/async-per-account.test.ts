/** Asynchronous fetches from origins that don't answer keep nobody else's from being made. */
import { createBucket } from '@millpond/testing';
import { expect, test } from 'vitest';
import { createParent } from '../support/accounts/operator.ts';
import { type AsyncStatus, asyncFetch, endOf, file } from '../support/objects/fetching.ts';
import { type Script, useReceiver } from '../support/receivers/receiver.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const origin = useReceiver();
const own = useSecureDeployment({ MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' });
/** More than a process makes at a time. */
const MANY = 12;

test('an account with many fetches that hang leaves room for another’s, and loses none', async () => {
  const { at } = own;
  const [hanging, other] = [
    await createParent(own.deployment.environment),
    await createParent(own.deployment.environment),
  ];
  await createBucket(own.server.url, hanging, 'hanging');
  await createBucket(own.server.url, other, 'others');
  const released = Promise.withResolvers<void>();
  let [isReleased, givenUp] = [false, 0];
  const script: Script = async (response, received) => {
    response.on('close', () => {
      if (!isReleased) givenUp += 1;
    });
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
  await expect.poll(() => slow.requests.length).toBeGreaterThan(0);

  const quick = origin.at(file('quick')).url;
  const id = await ask(other, { url: quick, bucket: 'others', key: 'k' });
  // While all of those that hang go on to do so.
  expect(await endOf(id, { at, keys: other })).toMatchObject({ state: 'done' });
  expect(givenUp).toBe(0);

  isReleased = true;
  released.resolve();
  for (const late of ids)
    expect(await endOf(late, { at, keys: hanging })).toMatchObject({ state: 'done', fsize: 4 });
});
