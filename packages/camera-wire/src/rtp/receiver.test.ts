import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { PIECE_RATE } from '@millpond/base';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MediaPorts } from './ports.ts';
import { openRtpReceiver, type RtpReceiver } from './receiver.ts';

const SSRC = 200_001_234;
const ADDRESS = '127.0.0.1';
const nowhere = { address: '192.0.2.1', port: 9 };
const agreed = { addresses: [ADDRESS], announced: nowhere, ssrc: SSRC, payloadType: 96 };
const taken: string[] = [];
const failures: unknown[] = [];
const open = new Set<{ close(): void }>();
afterEach(() => {
  for (const each of open) each.close();
  open.clear();
  taken.length = failures.length = 0;
  vi.useRealTimers();
});

function packet(sequence: number, text: string, ssrc = SSRC, type = 96): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x8000 | type, 0);
  head.writeUInt16BE(sequence, 2);
  head.writeUInt32BE(ssrc, 8);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function receiver(
  transport: 'udp' | 'tcp',
  onEnd: () => void = () => undefined,
  onPayload: (payload: Buffer) => void = (payload) => taken.push(String(payload)),
): Promise<[RtpReceiver, number]> {
  const opened = await openRtpReceiver({
    transport,
    address: ADDRESS,
    port: 0,
    onPayload,
    onEnd,
    onFailure: (error) => failures.push(error),
  });
  open.add(opened);
  return [opened, opened.port];
}

async function sender(address = ADDRESS): Promise<dgram.Socket> {
  const socket = dgram.createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  open.add({ close: () => socket.close() });
  return socket;
}

describe('datagrams', () => {
  test('are taken from where it was agreed on, with what was agreed on, of one sender', async () => {
    const [received, port] = await receiver('udp');
    const [mine, other, foreign] = [await sender(), await sender(), await sender('127.0.0.2')];
    const send = (socket: dgram.Socket, bytes: Buffer) => socket.send(bytes, port, ADDRESS);
    send(mine, packet(1, 'before there is an agreement'));
    await expect.poll(() => received.counts.foreign).toBe(1);
    received.expect(agreed);
    send(foreign, packet(2, 'from elsewhere'));
    send(mine, packet(2, 'of another session', SSRC + 1));
    send(mine, packet(2, 'of another kind', SSRC, 97));
    send(mine, Buffer.from('no RTP'));
    await expect.poll(() => received.counts.foreign).toBe(5);
    send(mine, packet(2, 'a'));
    await expect.poll(() => received.counts.packets).toBe(1);
    send(other, packet(3, 'from another port'));
    await expect.poll(() => received.counts.foreign).toBe(6);
    send(mine, packet(4, 'c'));
    send(mine, packet(3, 'b'));
    await expect.poll(() => taken).toEqual(['a', 'b', 'c']);
  });

  test('of a sender that falls silent give way to those of another, whatever its count', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const [received, port] = await receiver('udp');
    received.expect(agreed);
    const [stranger, camera] = [await sender(), await sender()];
    stranger.send(packet(500, 'guessed'), port, ADDRESS);
    await expect.poll(() => received.counts.packets).toBe(1);
    let sequence = 400;
    const sending = setInterval(() => camera.send(packet(sequence++, 'own'), port, ADDRESS), 5);
    open.add({ close: () => clearInterval(sending) });
    await expect.poll(() => received.counts.foreign).toBeGreaterThan(2);
    expect(taken).toEqual(['guessed']);
    vi.advanceTimersByTime(2000);
    await expect.poll(() => taken.length).toBeGreaterThan(50);
    expect(new Set(taken.slice(1))).toEqual(new Set(['own']));
    expect(received.counts).toMatchObject({ lost: 0, late: 0 });
  });

  test('from where they were announced come before all others, who cannot come back', async () => {
    const [received, port] = await receiver('udp');
    const [stranger, camera] = [await sender(), await sender()];
    received.expect({ ...agreed, announced: { address: ADDRESS, port: camera.address().port } });
    stranger.send(packet(500, 'guessed'), port, ADDRESS);
    await expect.poll(() => taken).toEqual(['guessed']);
    camera.send(packet(1, 'a'), port, ADDRESS);
    await expect.poll(() => taken).toEqual(['guessed', 'a']);
    stranger.send(packet(501, 'guessed'), port, ADDRESS);
    await expect.poll(() => received.counts.foreign).toBe(1);
    camera.send(packet(2, 'b'), port, ADDRESS);
    await expect.poll(() => taken).toEqual(['guessed', 'a', 'b']);
  });

  test('a port that is taken is refused', async () => {
    const [, port] = await receiver('udp');
    const ignored = { onPayload: () => 0, onEnd: () => 0, onFailure: () => 0 };
    const again = { transport: 'udp', address: ADDRESS, port, ...ignored } as const;
    await expect(openRtpReceiver(again)).rejects.toThrow('EADDRINUSE');
  });
});

describe('a connection', () => {
  const framed = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);

  // Being reset is an end like any other.
  const closed = (socket: net.Socket) =>
    new Promise<void>((resolve) => socket.once('close', () => resolve()));

  test('is read once it is known who may come, one of them, and its end is told', async () => {
    let ends = 0;
    const [received, port] = await receiver('tcp', () => {
      ends += 1;
    });
    const foreign = net.connect({ port, host: ADDRESS, localAddress: '127.0.0.2' }).on('error', () => 0);
    await once(foreign, 'connect');
    const mine = net.connect(port, ADDRESS);
    await once(mine, 'connect');
    mine.write(framed(packet(1, 'a')));
    foreign.write(framed(packet(1, 'x')));
    const gone = closed(foreign);
    received.expect(agreed);
    await gone;
    mine.write(framed(packet(2, 'b')));
    await expect.poll(() => taken).toEqual(['a', 'b']);
    const second = net.connect(port, ADDRESS).on('error', () => 0);
    await closed(second);
    mine.destroy();
    await expect.poll(() => ends).toBe(1);
  });

  test('that sends empty frames is read more slowly', async () => {
    const [received, port] = await receiver('tcp');
    received.expect(agreed);
    const mine = net.connect(port, ADDRESS);
    open.add({ close: () => mine.destroy() });
    const frames = 8000;
    const begun = performance.now();
    mine.write(Buffer.alloc(2 * frames));
    await expect.poll(() => received.counts.foreign).toBe(frames);
    mine.write(framed(packet(1, 'a')));
    await expect.poll(() => taken).toEqual(['a']);
    const paid = ((frames - PIECE_RATE.burst) / PIECE_RATE.perSecond) * 1000;
    expect(performance.now() - begun).toBeGreaterThan(paid / 2);
  });

  const connect = async (port: number, localAddress = ADDRESS) => {
    const socket = net.connect({ port, host: ADDRESS, localAddress }).on('error', () => 0);
    open.add({ close: () => socket.destroy() });
    await once(socket, 'connect');
    return socket;
  };

  test('finds room before it is known who may come, however many somebody else has opened', async () => {
    const [received, port] = await receiver('tcp');
    const mine = await connect(port);
    mine.write(framed(packet(1, 'a')));
    const foreign = await Promise.all(Array.from({ length: 4 }, () => connect(port, '127.0.0.2')));
    const gone = Promise.race(foreign.map(closed));
    await connect(port, '127.0.0.2');
    await gone;
    received.expect(agreed);
    await expect.poll(() => taken).toEqual(['a']);
  });

  test.each(['before', 'after'])(
    'finds room %s it is known who may come, beside those that wait behind the same address or send something else',
    async (when) => {
      let ends = 0;
      const [received, port] = await receiver('tcp', () => {
        ends += 1;
      });
      if (when === 'after') received.expect(agreed);
      const others = await Promise.all(Array.from({ length: 4 }, () => connect(port)));
      others[3]?.write(framed(packet(1, 'x', SSRC + 1)));
      const gone = others.map(closed);
      const mine = await connect(port);
      if (when === 'before') received.expect(agreed);
      mine.write(framed(packet(1, 'a')));
      await expect.poll(() => taken).toEqual(['a']);
      await Promise.all(gone);
      expect(ends).toBe(0);
      mine.destroy();
      await expect.poll(() => ends).toBe(1);
    },
  );

  test('of which little is kept keeps no more than that', async () => {
    const kept: Buffer[] = [];
    const [received, port] = await receiver('tcp', undefined, (payload) => kept.push(payload));
    received.expect(agreed);
    const mine = await connect(port);
    mine.write(
      Buffer.concat([
        framed(packet(1, 'x')),
        framed(packet(2, 'y'.repeat(60_000), SSRC + 1)),
        framed(packet(2, 'z')),
      ]),
    );
    await expect.poll(() => kept.map(String)).toEqual(['x', 'z']);
    expect(kept.map(({ buffer }) => buffer.byteLength)).toEqual([1, 1]);
  });
});

test('packets that nothing can be done with end their session at most', async () => {
  const refuse = () => {
    throw new Error('no such packet');
  };
  const [received, port] = await receiver('udp', undefined, refuse);
  received.expect(agreed);
  (await sender()).send(packet(1, 'a'), port, ADDRESS);
  await expect.poll(() => failures).toMatchObject([{ message: 'no such packet' }]);
  const [connected, tcpPort] = await receiver('tcp', undefined, refuse);
  connected.expect(agreed);
  const bytes = packet(1, 'a');
  net.connect(tcpPort, ADDRESS).end(Buffer.concat([Buffer.of(0, bytes.length), bytes]));
  await expect.poll(() => failures).toHaveLength(2);
});

test('ports are even, each for one at a time, and come back', () => {
  const ports = new MediaPorts(30_001, 30_005);
  expect([ports.acquire(), ports.acquire(), ports.acquire()]).toEqual([30_002, 30_004, undefined]);
  ports.release(30_004);
  expect(ports.acquire()).toBe(30_004);
});
