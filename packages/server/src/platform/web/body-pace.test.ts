import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Fault } from '@millpond/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { type ArrivingBody, BodyPaceMonitor } from './body-pace.ts';

const PACE = { unprovenMs: 5_000, least: { bytes: 1_000, ms: 3_000 } };

interface Arriving {
  readonly bodies: BodyPaceMonitor;
  readonly body: ArrivingBody;
  readonly client: Socket;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sends bytes, and waits until they are there. */
  readonly send: (bytes: number) => Promise<void>;
  /** So many looks later: what it was given up with. */
  readonly after: (looks: number) => string | undefined;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A body of 1 MB of which nothing has come yet; whatever comes is taken. */
async function arrive(): Promise<Arriving> {
  const bodies = new BodyPaceMonitor(PACE);
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  ends.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  bodies.watch(request, response);
  const body = bodies.of(request);
  if (body === undefined) throw new Error('it is not watched');
  request.on('error', () => undefined).resume();
  let taken = 0;
  let sent = 0;
  request.on('data', (chunk: Buffer) => {
    taken += chunk.length;
  });
  return {
    bodies,
    body,
    client,
    request,
    response,
    async send(bytes) {
      sent += bytes;
      client.write(Buffer.alloc(bytes));
      await expect.poll(() => taken, { interval: 1 }).toBe(sent);
    },
    after(looks) {
      for (let look = 0; look < looks; look++) bodies.checkPace();
      const { reason } = body.slowSignal as { reason?: unknown };
      return reason instanceof Fault ? reason.hint : undefined;
    },
  };
}

describe('until a token is accepted', () => {
  test('a body has its time, however busily it arrives', async () => {
    const { after, send, bodies } = await arrive();
    expect(after(5)).toBeUndefined();
    await send(10_000);
    expect(after(1)).toBe('within 5 s a request must be complete, or its upload token accepted');
    expect([after(3) !== undefined, bodies.givenUp]).toEqual([true, 1]);
  });

  test('time does not count in which what came is not taken', async () => {
    const { after, request } = await arrive();
    request.pause();
    expect(after(100)).toBeUndefined();
    request.resume();
    expect(after(5)).toBeUndefined();
    expect(after(1)).toBeDefined();
  });
});

describe('once a token is accepted', () => {
  test('a body may take as long as it comes at the least rate', async () => {
    const { after, body, send } = await arrive();
    expect(after(4)).toBeUndefined();
    body.accept();
    for (let round = 0; round < 5; round++) {
      await send(1_000);
      expect(after(3)).toBeUndefined();
    }
    await send(999);
    expect(after(2)).toBeUndefined();
    expect(after(1)).toBe('send at least 1000 bytes in 3 s');
  });
});

describe('what is given up', () => {
  test('is answered on a connection that is then closed', async () => {
    const { after, client, response } = await arrive();
    after(6);
    response.end('answer');
    const [bytes] = (await once(client, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/\r\nConnection: close\r\n/i);
    await once(client, 'close');
  });

  test('and was answered before it was whole is cut off', async () => {
    const { after, client, response } = await arrive();
    response.setHeader('content-length', 6).end('answer');
    const [bytes] = (await once(client, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/\r\nConnection: keep-alive\r\n/i);
    after(6);
    await once(client, 'close');
  });

  test('while its answer is on its way is cut off behind it', async () => {
    const { after, client, response } = await arrive();
    response.writeHead(200, { 'content-length': 6 }).write('ans');
    after(20);
    response.end('wer');
    let text = '';
    client.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    await once(response, 'close');
    after(1);
    await once(client, 'close');
    expect(text).toMatch(/answer$/);
  });
});

test('a body that is whole, and one whose client has left, are forgotten', async () => {
  const whole = await arrive();
  await whole.send(1_000_000);
  const left = await arrive();
  left.client.destroy();
  await once(left.response, 'close');
  for (const { after, bodies, request } of [whole, left]) {
    expect(after(10)).toBeUndefined();
    expect(bodies.of(request)).toBeUndefined();
  }
});
