/** How a camera reaches its SIP server: with datagrams, or a connection that is split into messages. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';

export interface LinkTarget {
  readonly address: string;
  readonly port: number;
}

interface Link {
  readonly name: 'UDP' | 'TCP';
  host(): string;
  send(bytes: Buffer): void;
  onBytes(handle: (bytes: Buffer) => void): void;
  close(): Promise<void>;
}

export async function openUdp({ address, port }: LinkTarget): Promise<Link> {
  const socket = dgram.createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.on('error', () => undefined);
  return {
    name: 'UDP',
    host: () => `127.0.0.1:${socket.address().port}`,
    send: (bytes) => socket.send(bytes, port, address, () => undefined),
    onBytes: (handle) => socket.on('message', handle),
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

export async function openTcp({ address, port }: LinkTarget): Promise<Link> {
  const socket = net.connect(port, address);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return {
    name: 'TCP',
    host: () => `127.0.0.1:${socket.localPort}`,
    send: (bytes) => socket.write(bytes),
    onBytes(handle) {
      let held = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        held = Buffer.concat([held, chunk as Buffer]);
        for (;;) {
          const end = held.indexOf('\r\n\r\n');
          const length = Number(
            /content-length:\s*(\d+)/i.exec(held.toString('latin1', 0, Math.max(end, 0)))?.[1],
          );
          if (end < 0 || held.length < end + 4 + length) return;
          handle(held.subarray(0, end + 4 + length));
          held = held.subarray(end + 4 + length);
        }
      });
    },
    async close() {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
    },
  };
}
