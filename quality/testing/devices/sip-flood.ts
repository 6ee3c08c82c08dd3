/**
 * Sends messages to a SIP port as fast as it takes them, without silent losses: every few messages it waits for the
 * answer to one.
 */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import type { SipServer } from './camera.ts';

const BETWEEN_ANSWERS = 100;
const RESPONSE_TIMEOUT_MS = 2_000;
const GIVE_UP_AFTER = 30;

/** Over UDP, in order. Rejects when answers stop coming. */
export async function floodUdp(server: SipServer, messages: Iterable<Buffer>): Promise<void> {
  const socket = dgram.createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.on('error', () => undefined);
  let answered: ((number: number) => void) | undefined;
  socket.on('message', (bytes) => {
    const number = /Call-ID: alive (\d+)\r\n/.exec(bytes.toString('latin1'))?.[1];
    if (number !== undefined) answered?.(Number(number));
  });
  const alive = async (number: number) => {
    for (let tries = 0; tries < GIVE_UP_AFTER; tries++) {
      const answer = new Promise<boolean>((resolve) => {
        const end = setTimeout(() => resolve(false), RESPONSE_TIMEOUT_MS);
        answered = (came) => {
          if (came !== number) return;
          clearTimeout(end);
          resolve(true);
        };
      });
      socket.send(question(number), server.port, server.address);
      if (await answer) return;
    }
    throw new Error('the SIP port answers no more');
  };
  try {
    let sent = 0;
    for (const message of messages) {
      socket.send(message, server.port, server.address, () => undefined);
      if (++sent % BETWEEN_ANSWERS === 0) await alive(sent);
    }
    await alive(sent + 1);
  } finally {
    socket.close();
  }
}

/** Each over its own connection, in pieces; the server may close it at any time. */
export async function floodTcp(server: SipServer, messages: Iterable<Buffer>): Promise<void> {
  for (const message of messages) {
    const socket = net.connect(server.port, server.address);
    socket.on('error', () => undefined);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    const middle = message.length >> 1;
    socket.write(message.subarray(0, middle));
    socket.end(message.subarray(middle));
    socket.resume();
    if (!socket.closed) await once(socket, 'close');
  }
}

function question(number: number): Buffer {
  const head = [
    'OPTIONS sip:a@b SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.1;rport;branch=z9hG4bK${number}`,
    'From: <sip:a@b>;tag=1',
    'To: <sip:a@b>',
    `Call-ID: alive ${number}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
}
