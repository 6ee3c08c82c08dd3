/** Alone in its file, so that it can count what the process holds; what earlier files left there may only go. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createOutboundClient, type OutboundRequest } from './index.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { type Behaviour, reply, startReceiver } from './testing/receivers.ts';

const held = (kind: RegExp): number =>
  process.getActiveResourcesInfo().filter((name) => kind.test(name)).length;
const SOCKETS = /^(?:TCPSocket|TCPConnect|TLS)/;
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  limits,
  ...more,
});

test('no socket and no timer is left behind, whatever happened', async () => {
  const behaviours: Behaviour[] = [
    () => undefined,
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n'),
    (socket) => socket.write('not HTTP\r\n\r\n'),
    reply(200, 'fine'),
  ];
  const [timers, sockets] = [held(/^Timeout/), held(SOCKETS)];
  const receivers = await Promise.all(behaviours.map((behaviour) => startReceiver(behaviour)));
  const outbound = createOutboundClient({ allow: ['127.0.0.1/32'], resolve: async () => ['10.0.0.1'] });
  const urls = [...receivers.map(({ url }) => url), 'http://blocked.test/', 'ftp://x/'];
  const forever = new AbortController();
  for (let turn = 0; turn < 3; turn++) {
    const outcomes = urls.map((url, at) => {
      // The first never answers.
      const given = at === 0 ? { ...limits, headersMs: 150 } : limits;
      return outcomeOf(outbound.send(get(url, { signal: forever.signal, limits: given })));
    });
    expect(await Promise.all(outcomes)).toEqual([
      'timeout',
      'connect',
      'truncated',
      'tooLarge',
      'protocol',
      '200',
      'blocked',
      'blocked',
    ]);
  }
  expect(getEventListeners(forever.signal, 'abort')).toEqual([]);
  const opened = await outbound.open(get(receivers.at(-1)?.url ?? ''));
  opened.body.cancel();
  await outbound.close();
  for (const receiver of receivers) await receiver.drained();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  expect(held(SOCKETS)).toBeLessThanOrEqual(sockets);
  // One may be the test runner's own.
  expect(held(/^Timeout/)).toBeLessThanOrEqual(timers);
});
