/** Segments of a stream go from the engine to the player as they come, and are held nowhere in between. */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bodyLimits, proxyTrust, RequestContext } from '../../../platform/web/index.ts';
import { nginxClient } from '../engines/nginx-client.ts';
import { newLiveId } from '../ids.ts';
import { streamToken } from '../streams/stream-keys.ts';
import type { Streams } from '../streams/streams.ts';
import { allEnabled } from '../streams.testing.ts';
import { playRoutes } from './play.routes.ts';

const MIB = 2 ** 20;
const LIMITS = { silenceMs: 100_000, maxFileBytes: 64 * MIB };
const stream = { nsId: newLiveId(), streamId: 'camera' };
const END = 4_102_444_800;

type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

async function serving(answer: Answering): Promise<string> {
  const server = http
    .createServer((request, response) => void answer(request, response))
    .listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Played {
  readonly url: string;
  /** What went wrong with calls, in the order in which they ended. */
  readonly failures: unknown[];
}

/** A gateway before an engine that answers so. */
async function played(engine: Answering, limits = LIMITS): Promise<Played> {
  const client = nginxClient(await serving(engine), 'secret', limits);
  const streams = { player: async () => ({ uid: 1n, key: 'key', engine: { client } }) };
  const [route] = playRoutes({
    streams: streams as object as Streams,
    accounts: allEnabled,
    freshMs: 1000,
  });
  const failures: unknown[] = [];
  const base = await serving(async (raw, response) => {
    const routed = { request: raw, id: 'r', target: raw.url ?? '', params: {} };
    const bodies = bodyLimits({ account: 0, open: 0 });
    try {
      await route?.handle(
        new RequestContext(routed, response, proxyTrust([]), bodies, undefined, route.path),
      );
    } catch (error) {
      failures.push(error);
      response.destroy();
    }
  });
  const token = streamToken('key', 'play', stream, END);
  const url = `${base}/v1/play/${stream.nsId}/${stream.streamId}/1.ts?e=${END}&token=${token}`;
  return { url, failures };
}

async function get(url: string): Promise<IncomingMessage> {
  const [response] = (await once(http.get(url), 'response')) as [IncomingMessage];
  return response;
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray());
}

test('a player has the first bytes of a segment before the engine has sent the last', async () => {
  const { promise: isSeen, resolve } = Promise.withResolvers<void>();
  const { url } = await played(async (_request, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('first');
    await isSeen;
    response.end('last');
  });
  const response = await get(url);
  expect(response.headers).toMatchObject({ 'content-type': 'video/mp2t', 'content-length': '9' });
  const pieces = response[Symbol.asyncIterator]();
  expect(String((await pieces.next()).value)).toBe('first');
  resolve();
  expect(String((await pieces.next()).value)).toBe('last');
});

test('of a player that does not read nothing piles up, and the engine stops when it leaves', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let sent = 0;
  let isOver = false;
  const { url, failures } = await played(async (_request, response) => {
    response.writeHead(200, { 'content-length': 63 * MIB });
    response.once('close', () => {
      isOver = true;
    });
    const video = function* () {
      for (; sent < 63 * MIB; sent += MIB) yield Buffer.alloc(MIB);
    };
    await pipeline(video, response).catch(() => undefined);
  });
  const response = await get(url);
  let before = -1;
  // Until the sockets are full.
  await expect
    .poll(
      () => {
        const isStill = sent === before && vi.getTimerCount() === 0;
        before = sent;
        return isStill;
      },
      { interval: 300 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(40 * MIB);
  // However long that takes: it is the engine's silence that counts.
  vi.advanceTimersByTime(2 * LIMITS.silenceMs);
  expect([isOver, failures]).toEqual([false, []]);
  response.destroy();
  await expect.poll(() => isOver).toBe(true);
  await expect.poll(() => failures).toMatchObject([{ fault: 'requestTimeout' }]);
});

test('an engine that stops in the middle is given up, and the player is told by the end of the connection', async () => {
  const { url, failures } = await played(
    (_request, response) => {
      response.writeHead(200, { 'content-length': 9 }).write('first');
    },
    { ...LIMITS, silenceMs: 500 },
  );
  const response = await get(url);
  await expect(bytesOf(response)).rejects.toThrow('aborted');
  expect(failures).toMatchObject([{ name: 'TimeoutError' }]);
});

test.each([
  ['says', { 'content-length': 2 * MIB }],
  ['does not say', {}],
])('a segment beyond all bounds is refused where the engine %s its length', async (_, headers) => {
  const limits = { ...LIMITS, maxFileBytes: MIB };
  const { url, failures } = await played((_request, response) => {
    response.writeHead(200, headers).end(Buffer.alloc(2 * MIB));
  }, limits);
  await expect(get(url).then((response) => bytesOf(response))).rejects.toThrow();
  expect(failures).toMatchObject([{ message: 'the engine’s answer is too large' }]);
});
