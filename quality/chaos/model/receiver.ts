/** The customer's server: it takes callbacks of uploads and events of objects, and remembers them by bucket. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An event of an object, once for each time it arrived. */
export interface Arrived {
  readonly id: string;
  readonly event: string;
  readonly key: string;
  readonly way: string | undefined;
  readonly hash: string;
  readonly previous: string | undefined;
}

export interface Receiver {
  readonly eventUrl: string;
  readonly callbackUrl: string;
  /** In the order of their arrival. */
  events(bucket: string): readonly Arrived[];
  /** Bodies of callbacks. */
  callbacks(bucket: string): readonly string[];
  /** What is no longer asked for. */
  forget(bucket: string): void;
  close(): Promise<void>;
}

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly bucket: string;
    readonly key: string;
    readonly way?: string;
    readonly hash: string;
    readonly previous?: { readonly hash: string };
  };
}

export async function startReceiver(): Promise<Receiver> {
  const events = new Map<string, Arrived[]>();
  const callbacks = new Map<string, string[]>();
  const add = <T>(to: Map<string, T[]>, bucket: string, what: T): void => {
    const all = to.get(bucket);
    if (all === undefined) to.set(bucket, [what]);
    else all.push(what);
  };
  const server = createServer((request, response) => {
    const take = async () => {
      const text = (await buffer(request)).toString();
      if (request.url === '/events') {
        const { id, type, data } = JSON.parse(text) as EventBody;
        const { key, way, hash, previous } = data;
        const event = type.slice(type.lastIndexOf('.') + 1);
        add(events, data.bucket, { id, event, key, way, hash, previous: previous?.hash });
      } else {
        add(callbacks, (JSON.parse(text) as { bucket: string }).bucket, text);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    take().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    eventUrl: `${url}/events`,
    callbackUrl: `${url}/callbacks`,
    events: (bucket) => events.get(bucket) ?? [],
    callbacks: (bucket) => callbacks.get(bucket) ?? [],
    forget(bucket) {
      events.delete(bucket);
      callbacks.delete(bucket);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
