/** Whatever comes to a SIP port, the process that listens there goes on. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SipMessage } from './message.ts';
import { openTransport, type Peer, type Transport } from './transport.ts';

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
  readonly unreadable: () => number;
  readonly failures: unknown[];
}

async function opened(onMessage: (message: SipMessage, peer: Peer) => void): Promise<Opened> {
  const create = vi.spyOn(dgram, 'createSocket');
  const failures: unknown[] = [];
  let unreadable = 0;
  for (let port = 25_000 + Math.floor(Math.random() * 4000); ; port++) {
    const transport = await openTransport({
      ...{ address: ADDRESS, port, maxConnections: 10, idleMs: 10_000, onMessage },
      onUnreadable: () => unreadable++,
      onFailure: (error) => failures.push(error),
    }).catch(() => undefined);
    if (transport === undefined) continue;
    onTestFinished(() => transport.close());
    const udp = create.mock.results.at(-1)?.value as dgram.Socket;
    create.mockRestore();
    return { transport, port, udp, unreadable: () => unreadable, failures };
  }
}

test('a datagram from port 0, where nobody can be answered, is one that can not be read', async () => {
  const { udp, unreadable, failures } = await opened((_message, peer) => peer.send(OPTIONS));
  udp.emit('message', OPTIONS, { address: ADDRESS, family: 'IPv4', port: 0, size: OPTIONS.length });
  expect([unreadable(), failures]).toEqual([1, []]);
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
