/** A TCP proxy that a test puts before an engine, to take the engine away or to see what passes. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface EngineProxy {
  readonly port: number;
  /** Bytes that came from the engine so far. */
  readonly received: number;
  /** Connections to the engine that are open now. */
  readonly open: number;
  /** Cuts all connections and refuses new ones. */
  cut(): void;
  /** Keeps connections but lets nothing through, in neither direction. */
  freeze(): void;
  restore(): void;
  close(): Promise<void>;
}

/** A proxy before the engine at this URL. */
export async function openProxy(url: string): Promise<EngineProxy> {
  const { hostname, port } = new URL(url);
  const to = { host: hostname, port: Number(port) };
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: 'open' | 'cut' | 'frozen' = 'open';
  let received = 0;
  const server = createServer((inner) => {
    if (mode === 'cut') {
      inner.destroy();
      return;
    }
    const outer = connect(to);
    const pair = [inner, outer] as const;
    pairs.add(pair);
    const end = () => {
      inner.destroy();
      outer.destroy();
      pairs.delete(pair);
    };
    outer.on('data', (chunk) => {
      received += chunk.length;
    });
    inner.pipe(outer);
    outer.pipe(inner);
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (mode === 'frozen') for (const socket of pair) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cutAll = () => {
    for (const [inner, outer] of pairs) {
      inner.destroy();
      outer.destroy();
    }
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get received() {
      return received;
    },
    get open() {
      return pairs.size;
    },
    cut() {
      mode = 'cut';
      cutAll();
    },
    freeze() {
      mode = 'frozen';
      for (const socket of [...pairs].flat()) socket.pause();
    },
    restore() {
      mode = 'open';
      for (const socket of [...pairs].flat()) socket.resume();
    },
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The URL with its host and port replaced by the proxy's. */
export function throughProxy(url: string, proxy: EngineProxy): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(proxy.port);
  return changed.href;
}
