/** What anybody can make us do who connects to a SIP port, and no more. */
import { once } from 'node:events';
import net from 'node:net';
import { RateLimiter } from '@millpond/base';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ConnectionLimits, Listeners } from './connection.ts';
import { Connections } from './connections.ts';
import type { SipMessage } from './message.ts';
import type { Peer } from './peer.ts';

const ADDRESS = '127.0.0.1';
const MUCH = { burst: 100_000, perMinute: 1 };
const ANSWER = Buffer.from('answer\n');

function options(number: number): string {
  const head = [
    'OPTIONS sip:a@b SIP/2.0',
    'v: SIP/2.0/TCP x',
    'f: <sip:a@b>',
    't: <sip:a@b>',
    `i: ${number}`,
  ];
  return `${[...head, 'CSeq: 1 OPTIONS', 'l: 0'].join('\r\n')}\r\n\r\n`;
}

const many = (count: number) => Array.from({ length: count }, (_, number) => options(number)).join('');

interface TestPort {
  readonly connections: Connections;
  readonly counts: { unreadable: number; dropped: number };
  readonly failures: unknown[];
  readonly connect: (localAddress?: string) => Promise<Client>;
}

interface Client {
  readonly socket: net.Socket;
  readonly answers: () => number;
  /** Resolves when the other side has ended it. */
  readonly closed: Promise<unknown>;
}

const answered = (_message: SipMessage, peer: Peer) => peer.send(ANSWER);
const proven = (_message: SipMessage, peer: Peer) => {
  peer.keep();
  peer.send(ANSWER);
};

async function place(
  onMessage: Listeners['onMessage'],
  limits: Partial<ConnectionLimits> = {},
  maxUnauthenticatedBytes?: number,
): Promise<TestPort> {
  const counts = { unreadable: 0, dropped: 0 };
  const failures: unknown[] = [];
  const connections = new Connections(
    {
      maxConnections: 50,
      connectionsPerAddress: 50,
      messagesPerConnection: MUCH,
      idleMs: 100_000,
      ...limits,
    },
    {
      onMessage,
      onUnreadable: () => void counts.unreadable++,
      onDropped: () => void counts.dropped++,
      onFailure: (error) => failures.push(error),
    },
    new RateLimiter(MUCH, 'tooManyRequests'),
    maxUnauthenticatedBytes,
  );
  const { server } = connections;
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  onTestFinished(() => connections.close());
  return {
    connections,
    counts,
    failures,
    async connect(localAddress = ADDRESS) {
      const socket = net.connect({ port, host: ADDRESS, localAddress });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      let bytes = 0;
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
      onTestFinished(() => void socket.destroy());
      await Promise.race([once(socket, 'connect'), closed]);
      return { socket, closed, answers: () => bytes / ANSWER.length };
    },
  };
}

describe('messages', () => {
  test('are answered in turns with everything else, however many come at once', async () => {
    let loop = 0;
    let isOver = false;
    const perLoop: number[] = [];
    const count = () => {
      loop += 1;
      if (!isOver) setImmediate(count);
    };
    const { connect } = await place((_message, peer) => {
      perLoop[loop] = (perLoop[loop] ?? 0) + 1;
      peer.send(ANSWER);
    });
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect()));
    setImmediate(count);
    for (const { socket } of clients) socket.write(many(200));
    await expect.poll(() => clients.map((client) => client.answers())).toEqual(clients.map(() => 200));
    isOver = true;
    // Those of two turns may be met between two of ours.
    expect(Math.max(...Object.values(perLoop))).toBeLessThanOrEqual(32);
  });

  test('that can not be read are looked at once: nothing after the first is', async () => {
    const { connect, counts } = await place(answered);
    const client = await connect();
    client.socket.write('l:0\r\n\r\n'.repeat(9362));
    await client.closed;
    expect(counts).toEqual({ unreadable: 1, dropped: 0 });
  });

  test('before an end are answered', async () => {
    const { connect } = await place(answered);
    const client = await connect();
    client.socket.end(many(40));
    await client.closed;
    expect(client.answers()).toBe(40);
  });

  test('more than one may send end a connection over which no device has registered', async () => {
    const { connect, counts } = await place(answered, {
      messagesPerConnection: { burst: 5, perMinute: 1 },
    });
    const [client, other] = [await connect(), await connect()];
    client.socket.write(many(8));
    await client.closed;
    expect([client.answers(), counts.dropped]).toEqual([5, 1]);
    other.socket.write(many(5));
    await expect.poll(() => other.answers()).toBe(5);
    // Blank lines are a message too.
    other.socket.write('\r\n\r\n');
    await other.closed;
  });

  test('more than one may send wait their time where a device has registered', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { connect, counts } = await place(proven, {
      messagesPerConnection: { burst: 5, perMinute: 60 },
    });
    const client = await connect();
    client.socket.write(many(8));
    await expect.poll(() => client.answers()).toBe(5);
    for (let answers = 6; answers <= 8; answers++) {
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      expect(client.answers()).toBe(answers - 1);
      vi.advanceTimersByTime(1000);
      await expect.poll(() => client.answers()).toBe(answers);
    }
    expect([client.socket.destroyed, counts.dropped]).toEqual([false, 0]);
  });
});

describe('connections', () => {
  test('of one address are no more than it may have', async () => {
    const { connect, connections } = await place(answered, { connectionsPerAddress: 2 });
    const [first] = [await connect(), await connect()];
    await (await connect()).closed;
    // Another address has its own.
    await connect('127.0.0.2');
    expect(connections.size).toBe(3);
    first.socket.destroy();
    await expect.poll(() => connections.size).toBe(2);
    const third = await connect();
    third.socket.write(options(1));
    await expect.poll(() => third.answers()).toBe(1);
  });

  test('in all are no more than there may be', async () => {
    const { connect, connections } = await place(answered, { maxConnections: 2 });
    await connect();
    await connect('127.0.0.2');
    await (await connect('127.0.0.3')).closed;
    expect(connections.size).toBe(2);
  });

  test('that have proven nothing share the memory for what is not whole', async () => {
    const { connect, counts } = await place(proven, {}, 250_000);
    // Each takes as much as this at least, and while it grows twice as much at most.
    const unfinished = options(0).replace('l: 0', 'l: 60000') + 'x'.repeat(50_000);
    const device = await connect();
    device.socket.write(options(1));
    await expect.poll(() => device.answers()).toBe(1);
    device.socket.write(unfinished);
    const others = await Promise.all(Array.from({ length: 5 }, () => connect()));
    for (const { socket } of others) socket.write(unfinished);
    await Promise.race(others.map(({ closed }) => closed));
    for (const { socket } of others) socket.destroy();
    expect(counts.dropped).toBeGreaterThan(0);
    // What they had is there for the next, and a device's own is not of it.
    const [next] = [await connect(), await connect()];
    next.socket.write(options(2));
    await expect.poll(() => next.answers()).toBe(1);
    device.socket.write('x'.repeat(10_000));
    await expect.poll(() => device.answers()).toBe(2);
  });

  test('of one network that hold all they can leave room for those of others, and close only their own', async () => {
    const { connect } = await place(answered, {}, 1_000_000);
    const message = options(0).replace('l: 0', 'l: 60000');
    let greedy: Client;
    do {
      greedy = await connect();
      greedy.socket.write(options(1) + message + 'x'.repeat(50_000));
      // An answer to the first says that the second is held; without room there is none.
      await Promise.race([once(greedy.socket, 'data'), greedy.closed]);
    } while (greedy.answers() > 0);
    const others = [await connect('127.0.0.2'), await connect('127.0.0.2')];
    for (const { socket } of others) socket.write(message + 'x'.repeat(60_000));
    for (const { answers } of others) await expect.poll(answers).toBe(1);
    // A message as short as those by which a device registers is taken from anywhere.
    const neighbour = await connect();
    neighbour.socket.write(options(1));
    await expect.poll(() => neighbour.answers()).toBe(1);
  });
});
