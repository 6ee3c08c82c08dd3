/** Callers that wait for a fetch: neither cut off while we are at work, nor waited for once they have left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FORM_TYPE, formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import { fetchInto, fetchPath, file, image, mirroredBucket, unimage } from '../support/objects/fetching.ts';
import { openConnection, requestBytes } from '../support/raw.ts';
import { type Script, useReceiver } from '../support/receivers/receiver.ts';
import { type ExtraGateway, startExtraGateway } from '../support/running/extra-gateway.ts';
import { authorize } from '../support/signing.ts';
import { newBucket } from '../support/target.ts';

const origin = useReceiver();
/** A server with so much time for a fetch that nothing of its own ends one. */
const startPatient = () =>
  startExtraGateway({ MILLPOND_FETCH_TIMEOUT: '1h', MILLPOND_FETCH_MAX_SIZE: '1TiB' });

test('the time that we keep a caller waiting is not the caller’s silence', async () => {
  const server = await startExtraGateway({ MILLPOND_IDLE_TIMEOUT: '2s' });
  const bucket = await newBucket();
  const { url } = origin.at(async (response) => {
    await sleep(5000);
    response.writeHead(200, { 'content-length': '4' }).end('late');
  });
  const answer = await fetchInto(bucket, url, { key: 'k', url: server.url });
  expect([answer.status, await answer.json()]).toMatchObject([200, { fsize: 4 }]);
});

test('an origin that says nothing is given up at the time-out that is set [fetch-10 fetch-rule-06]', async () => {
  const [hasty, patient] = await Promise.all([
    startExtraGateway({ MILLPOND_FETCH_TIMEOUT: '2s' }),
    startPatient(),
  ]);
  const bucket = await newBucket();
  const asked = Promise.withResolvers<void>();
  const silence = Promise.withResolvers<void>();
  const { url } = origin.at(async (response, received) => {
    asked.resolve();
    await silence.promise;
    await file('at last')(response, received);
  });
  const waiting = fetchInto(bucket, url, { key: 'waited', url: patient.url });
  await asked.promise;
  await expectRefusal(await fetchInto(bucket, url, { key: 'k', url: hasty.url }), 478, 'origin failed');
  await expectNothing(bucket, 'k');
  // The other one, which was asked before, goes on.
  await expectNothing(bucket, 'waited');
  silence.resolve();
  expect((await waiting).status).toBe(200);
});

/** Pours slowly and without end, and tells when nobody takes it any more. */
function pouring(): { script: Script; readonly begun: Promise<void>; readonly ended: Promise<void> } {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    begun: begun.promise,
    ended: ended.promise,
    async script(response) {
      response.on('close', () => ended.resolve());
      response.writeHead(200);
      for (let chunks = 0; !response.destroyed; chunks++) {
        response.write(Buffer.alloc(64 * 1024));
        if (chunks === 20) begun.resolve();
        await sleep(10);
      }
    },
  };
}

/** Sends a request, leaves once the origin pours, and waits until the origin is left too. */
async function leave(
  { url }: ExtraGateway,
  request: Parameters<typeof requestBytes>[1],
  flow: ReturnType<typeof pouring>,
): Promise<void> {
  const connection = await openConnection(url);
  connection.socket.write(requestBytes(url, request));
  await flow.begun;
  connection.socket.destroy();
  await flow.ended;
}

const signed = ({ url }: ExtraGateway, path: string) => ({
  method: 'POST',
  target: path,
  headers: [
    ['Content-Type', FORM_TYPE],
    ['Authorization', authorize({ target: path, host: new URL(url).host })],
  ] as const,
  body: '',
});

test('a caller who leaves ends the download from the origin, and nothing is stored [fetch-rule-09 G35]', async () => {
  const bucket = await newBucket();
  const server = await startPatient();
  const flow = pouring();
  const path = fetchPath(origin.at(flow.script).url, bucket, { key: 'k' });
  await leave(server, signed(server, path), flow);
  await expectNothing(bucket, 'k');
});

test('a caller who leaves a prefetch ends it too [G35]', async () => {
  const bucket = await newBucket();
  const server = await startPatient();
  const flow = pouring();
  origin.at(flow.script, '/prefetched/k');
  expect((await image(bucket, `${origin.url}/prefetched`)).status).toBe(200);
  await leave(server, signed(server, `/prefetch/${formatEntry(bucket, 'k')}`), flow);
  expect((await unimage(bucket)).status).toBe(200);
  await expectNothing(bucket, 'k');
});

test('a reader who leaves while a missing file is fetched ends that too [G35]', async () => {
  const server = await startPatient();
  const flow = pouring();
  origin.at(flow.script, '/missing/k');
  const bucket = await mirroredBucket(`${origin.url}/missing`);
  await leave(server, { target: `/${bucket}/k` }, flow);
  expect((await unimage(bucket)).status).toBe(200);
  await expectNothing(bucket, 'k');
});
