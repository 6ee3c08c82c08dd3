/** TLS in front of an engine that speaks plain HTTP. For tests. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { type Certificate, makeCertificate } from '@millpond/testing';

export interface TlsFront {
  readonly endpoint: string;
  readonly certificate: Certificate;
  close(): Promise<void>;
}

export async function startTlsFront(engine: string): Promise<TlsFront> {
  const { hostname, port } = new URL(engine);
  const certificate = await makeCertificate();
  const sockets = new Set<Socket>();
  const server = createServer({ ...certificate.keys, noDelay: true }, (client) => {
    const behind = connect({ host: hostname, port: Number(port), noDelay: true });
    client.pipe(behind).pipe(client);
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await Promise.all([once(server, 'close'), certificate.remove()]);
    },
  };
}
