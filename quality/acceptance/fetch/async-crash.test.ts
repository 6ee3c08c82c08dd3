/** Workers that die in the middle of an asynchronous fetch: another one does it, and its callback comes once. */
import { createBucket, openRegionDatabase } from '@millpond/testing';
import { expect, test } from 'vitest';
import { createParent } from '../support/accounts/operator.ts';
import { type AsyncStatus, asyncFetch, endOf, file } from '../support/objects/fetching.ts';
import { json, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const BUCKET = 'crashing';
const origin = useReceiver();
const own = useSecureDeployment({ MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' });

test('a server that is killed in the middle loses no fetch', async () => {
  const person = await createParent(own.deployment.environment);
  await createBucket(own.server.url, person, BUCKET);
  const receiver = origin.at(json({}));
  let doomed = true;
  const begun = Promise.withResolvers<void>();
  const script: Script = async (response, received) => {
    if (!doomed) return file('whole')(response, received);
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => begun.resolve());
    return undefined;
  };
  const endpoint = origin.at(script);
  const fields = {
    url: endpoint.url,
    bucket: BUCKET,
    key: 'k',
    callbackurl: receiver.url,
    callbackbody: 'k=$(key)',
  };
  const answer = await asyncFetch(fields, { at: own.at, keys: person });
  expect(answer.status, answer.text()).toBe(200);
  const { id } = answer.json() as AsyncStatus;
  await begun.promise;
  await own.server.kill('SIGKILL');
  doomed = false;
  const { at, server } = await own.start();
  // The dead worker's heartbeat must run out first.
  expect(await endOf(id, { at, keys: person })).toMatchObject({ state: 'done', key: 'k', fsize: 5 });
  expect(await (await fetch(`${server.url}/${BUCKET}/k`)).text()).toBe('whole');
  const region = await openRegionDatabase(own.deployment.environment.MILLPOND_REGION_DB ?? '');
  const states = async () => (await region.deliveriesOf(`${BUCKET}:k`)).map(({ state }) => state);
  await expect.poll(states).toEqual(['delivered']);
  await region.close();
  expect(receiver.only.text).toBe('k=k');
  expect(endpoint.requests).toHaveLength(2);
});
