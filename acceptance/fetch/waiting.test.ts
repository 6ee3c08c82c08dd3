/** Callers that wait for a fetch: neither cut off while we are at work, nor waited for once they have left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FORM_TYPE, formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { startBeside } from '../support/beside.ts';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import { fetchInto, fetchPath, image, mirroredBucket, unimage } from '../support/fetching.ts';
import { openConnection, requestBytes } from '../support/raw.ts';
import { hang, type Script, useReceiver } from '../support/receiver.ts';
import { authorize } from '../support/signing.ts';
import { newBucket, target } from '../support/target.ts';

const origin = useReceiver();

test('the time that we keep a caller waiting is not silence of his', { timeout: 120_000 }, async () => {
  const server = await startBeside({ MILLPOND_IDLE_TIMEOUT: '2s' });
  const bucket = await newBucket();
  const { url } = origin.at(async (response) => {
    await sleep(5000);
    response.writeHead(200, { 'content-length': '4' }).end('late');
  });
  const answer = await fetchInto(bucket, url, { key: 'k', url: server.url });
  expect([answer.status, await answer.json()]).toMatchObject([200, { fsize: 4 }]);
});

test('an origin that says nothing is given up at the time-out that is set [fetch-10 fetch-rule-06]', {
  timeout: 120_000,
}, async () => {
  const server = await startBeside({ MILLPOND_FETCH_TIMEOUT: '2s' });
  const bucket = await newBucket();
  const begun = performance.now();
  const answer = await fetchInto(bucket, origin.at(hang).url, { key: 'k', url: server.url });
  await expectRefusal(answer, 478, 'origin failed');
  // Generous: the machine may be busy. The default would be a minute.
  expect(performance.now() - begun).toBeLessThan(20_000);
  await expectNothing(bucket, 'k');
});

/** Pours slowly and without end, and tells when nobody takes it any more. */
function pouring(): { script: Script; readonly begun: Promise<void>; readonly ended: Promise<number> } {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  return {
    begun: begun.promise,
    ended: ended.promise,
    async script(response) {
      response.on('close', () => ended.resolve(performance.now()));
      response.writeHead(200);
      for (let chunks = 0; !response.destroyed; chunks++) {
        response.write(Buffer.alloc(64 * 1024));
        if (chunks === 20) begun.resolve();
        await sleep(10);
      }
    },
  };
}

/** Sends a request, leaves once the origin pours, and says how long the origin then went on. */
async function leave(
  request: Parameters<typeof requestBytes>[1],
  flow: ReturnType<typeof pouring>,
): Promise<number> {
  const connection = await openConnection();
  connection.socket.write(requestBytes(target.url, request));
  await flow.begun;
  connection.socket.destroy();
  const left = performance.now();
  return (await flow.ended) - left;
}

/** A second is what is promised; a busy machine may add to it. */
const SOON_MS = 3000;

const signed = (path: string) => ({
  method: 'POST',
  target: path,
  headers: [
    ['Content-Type', FORM_TYPE],
    ['Authorization', authorize({ target: path })],
  ] as const,
  body: '',
});

test('a caller who leaves ends the download from the origin, and nothing is stored [fetch-rule-09 G35]', async () => {
  const bucket = await newBucket();
  const flow = pouring();
  const path = fetchPath(origin.at(flow.script).url, bucket, { key: 'k' });
  expect(await leave(signed(path), flow)).toBeLessThan(SOON_MS);
  await expectNothing(bucket, 'k');
});

test('a caller who leaves a prefetch ends it too [G35]', async () => {
  const bucket = await newBucket();
  const flow = pouring();
  origin.at(flow.script, '/prefetched/k');
  expect((await image(bucket, `${origin.url}/prefetched`)).status).toBe(200);
  expect(await leave(signed(`/prefetch/${formatEntry(bucket, 'k')}`), flow)).toBeLessThan(SOON_MS);
  expect((await unimage(bucket)).status).toBe(200);
  await expectNothing(bucket, 'k');
});

test('a reader who leaves while a missing file is fetched ends that too [G35]', async () => {
  const flow = pouring();
  origin.at(flow.script, '/missing/k');
  const bucket = await mirroredBucket(`${origin.url}/missing`);
  expect(await leave({ target: `/${bucket}/k` }, flow)).toBeLessThan(SOON_MS);
  expect((await unimage(bucket)).status).toBe(200);
  await expectNothing(bucket, 'k');
});
