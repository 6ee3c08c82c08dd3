/** Whatever comes to a SIP port, the process that listens there goes on. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SipMessage } from './message.ts';
import type { Peer } from './peer.ts';
import { openTransport, type Transport, type TransportOptions } from './transport.ts';

const ADDRESS = '127.0.0.1';
const OPTIONS = Buffer.from(
  [
    'OPTIONS sip:34020000002000000001@3402000000 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.7:5060;rport;branch=z9hG4bKa',
    'From: <sip:34020000001320000001@3402000000>;tag=1',
    'To: <sip:34020000002000000001@3402000000>',
    'Call-ID: 1@192.0.2.7',
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n'),
);

interface Opened {
  readonly transport: Transport;
  readonly port: number;
  /** As Node has it, to be given what no test can send. */
  readonly udp: dgram.Socket;
  readonly counts: { unreadable: number; dropped: number };
  readonly failures: unknown[];
}

const MUCH = { burst: 1000, perMinute: 1 };

async function opened(
  onMessage: (message: SipMessage, peer: Peer) => void,
  more: Partial<TransportOptions> = {},
): Promise<Opened> {
  const create = vi.spyOn(dgram, 'createSocket');
  const failures: unknown[] = [];
  const counts = { unreadable: 0, dropped: 0 };
  for (;;) {
    // A port that is free for datagrams may be taken for connections; then it is another one's turn.
    const transport = await openTransport({
      address: ADDRESS,
      port: 0,
      maxConnections: 10,
      connectionsPerAddress: 10,
      idleMs: 10_000,
      messagesPerAddress: MUCH,
      messagesPerConnection: MUCH,
      onMessage,
      onUnreadable: () => void counts.unreadable++,
      onDropped: () => void counts.dropped++,
      onFailure: (error) => failures.push(error),
      ...more,
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
    });
    if (transport === undefined) continue;
    onTestFinished(() => transport.close());
    const udp = create.mock.results.at(-1)?.value as dgram.Socket;
    create.mockRestore();
    return { transport, port: transport.port, udp, counts, failures };
  }
}

test('a datagram from port 0, where nobody can be answered, is one that can not be read', async () => {
  const { udp, counts, failures } = await opened((_message, peer) => peer.send(OPTIONS));
  udp.emit('message', OPTIONS, { address: ADDRESS, family: 'IPv4', port: 0, size: OPTIONS.length });
  expect([counts.unreadable, failures]).toEqual([1, []]);
});

test('datagrams of an address that sends too many are not even read', async () => {
  const { udp, counts } = await opened(() => undefined, { messagesPerAddress: { burst: 3, perMinute: 1 } });
  const from = (address: string) => {
    const family = address.includes(':') ? 'IPv6' : 'IPv4';
    udp.emit('message', Buffer.from('no SIP'), { address, family, port: 5060, size: 6 });
  };
  for (let count = 0; count < 5; count++) from('192.0.2.7');
  expect(counts).toEqual({ unreadable: 3, dropped: 2 });
  from('192.0.2.8');
  expect(counts).toEqual({ unreadable: 4, dropped: 2 });
  // With IPv6 everybody has as many addresses as they like.
  for (let count = 0; count < 5; count++) from(`2001:db8::${count}`);
  expect(counts).toEqual({ unreadable: 7, dropped: 4 });
});

test('what the socket will not send is lost, and nothing else', async () => {
  const { transport } = await opened(() => undefined);
  transport.udpPeer(ADDRESS, 0).send(OPTIONS);
  transport.udpPeer(ADDRESS, 65_536).send(OPTIONS);
});

test('a message that its handler fails at ends nothing but itself', async () => {
  let isBad = true;
  const { port, failures } = await opened((_message, peer) => {
    if (isBad) throw new Error('no such thing');
    peer.send(Buffer.from('answer'));
  });
  const camera = dgram.createSocket('udp4').bind(0, ADDRESS);
  onTestFinished(() => void camera.close());
  await once(camera, 'listening');
  camera.send(OPTIONS, port, ADDRESS);
  await expect.poll(() => failures).toMatchObject([{ message: 'no such thing' }]);
  const connection = net.connect(port, ADDRESS);
  connection.end(OPTIONS);
  // Over a connection it is not known where the next one begins.
  await once(connection.resume(), 'close');
  expect(failures).toHaveLength(2);
  isBad = false;
  const answered = once(camera, 'message');
  camera.send(OPTIONS, port, ADDRESS);
  expect(String((await answered)[0])).toBe('answer');
});
