/** A CONNECT proxy that leads every name to one port; it refuses `closed.test` and never answers `silent.test`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface ConnectProxy {
  readonly port: number;
  /** The CONNECT requests, as they came. */
  readonly asked: IncomingMessage[];
  /** Where everything is led to. */
  onwardPort: number;
  close(): Promise<void>;
}

export async function startConnectProxy(onwardPort: number): Promise<ConnectProxy> {
  const asked: IncomingMessage[] = [];
  const server = createServer().on('connect', (request, socket) => {
    asked.push(request);
    socket.on('error', () => undefined);
    if (request.url?.startsWith('silent.test')) {
      socket.on('end', () => socket.destroy()).resume();
      return;
    }
    if (request.url?.startsWith('closed.test')) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onward = connect(proxy.onwardPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ConnectProxy = {
    port: (server.address() as AddressInfo).port,
    asked,
    onwardPort,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
