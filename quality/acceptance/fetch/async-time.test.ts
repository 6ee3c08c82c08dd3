/** Retries of asynchronous fetches are as much faster as restores and retries of events are. */
import { createBucket } from '@millpond/testing';
import { expect, test } from 'vitest';
import { createParent } from '../support/accounts/operator.ts';
import { type AsyncStatus, asyncFetch, asyncStatus, endOf, file } from '../support/objects/fetching.ts';
import { reply, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

/** All waits together take 43 minutes. */
const FACTOR = 100_000;
const origin = useReceiver();
const own = useSecureDeployment({
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_TIME_FACTOR: String(FACTOR),
});

test('what comes with the last of six tries is there in seconds, and a fetch that never comes has failed [fetch-async-04]', async () => {
  const keys = await createParent(own.deployment.environment);
  await createBucket(own.server.url, keys, 'later');
  const signer = { at: own.at, keys };
  let tries = 0;
  const late: Script = (response, received) =>
    (++tries < 6 ? reply(500) : file('at last'))(response, received);
  const ask = async (url: string, key: string) =>
    ((await asyncFetch({ url, bucket: 'later', key }, signer)).json() as AsyncStatus).id;
  const id = await ask(origin.at(late).url, 'k');
  expect(await endOf(id, signer)).toMatchObject({ state: 'done', fsize: 7 });
  expect(tries).toBe(6);
  const never = origin.at(reply(500));
  const failed = await ask(never.url, 'never');
  const state = async () => ((await asyncStatus(failed, signer)).json() as AsyncStatus).state;
  await expect.poll(state).toBe('failed');
  expect(never.requests).toHaveLength(6);
});
