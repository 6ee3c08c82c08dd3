/**
 * How soon a stream's event is sent: from the hook that nginx-rtmp sends, when a light publisher comes or goes, to the
 * first byte at the receiver. The namespace's delay is excluded by having none.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeployment, createRtmpEngine, freePort, publishRtmp, signedFetch } from '@millpond/testing';
import type { Options } from '../options.ts';
import { percentile, rounded } from '../statistics.ts';

const PER_SECOND = 50;
const STREAMS = 100;
const WARM_UP_SECONDS = 3;
const ARRIVAL_TIMEOUT_MS = 30_000;

type State = 0 | 1;
type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** When each stream was reported to come and go: by hooks, and by events. */
class Times {
  readonly #lists = new Map<string, number[]>();

  add(stream: string, state: State): void {
    this.of(stream, state).push(performance.now());
  }

  of(stream: string, state: State): number[] {
    const key = `${stream} ${state}`;
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    return list;
  }
}

export async function benchLive(options: Options, cleanup: AsyncDisposableStack): Promise<object> {
  const [hooks, events] = [new Times(), new Times()];
  const serverPort = await freePort();
  const proxyPort = await startProxy(serverPort, hooks, cleanup);
  const callback = await startReceiver(events, cleanup);
  const engine = await createRtmpEngine({ serverPort: proxyPort });
  cleanup.defer(() => engine.destroy());
  await engine.start();
  const deployment = await createDeployment({
    store: 'disk',
    settings: {
      ...engine.settings,
      MILLPOND_LISTEN: `http://127.0.0.1:${serverPort}`,
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
    },
    log: options.json ? 'ignore' : 'inherit',
  });
  cleanup.defer(() => deployment.destroy());
  const account = await deployment.createAccount();
  const server = await deployment.start();
  const call = async <T>(target: string, body: object): Promise<T> => {
    const given = { body: JSON.stringify(body), contentType: 'application/json' };
    return (await signedFetch(server.url, account, `/v1/namespaces${target}`, given)).json() as Promise<T>;
  };
  const { id } = await call<{ id: string }>('', { name: 'bench', callback, offlineDelay: 0 });
  const urls: string[] = [];
  for (let number = 0; number < STREAMS; number++) {
    const streamId = `s${number}`;
    await call(`/${id}/streams`, { streamId });
    urls.push((await call<{ publishUrl: string }>(`/${id}/streams/${streamId}/urls`, {})).publishUrl);
  }
  const seconds = Math.max(options.seconds, 10) + WARM_UP_SECONDS;
  const began = performance.now();
  await comeAndGo(urls, seconds);
  const measured = await latencies(hooks, events, began + WARM_UP_SECONDS * 1000);
  return {
    name: 'live',
    perSecond: PER_SECOND,
    events: measured.length,
    p50: rounded(percentile(measured, 0.5)),
    p99: rounded(percentile(measured, 0.99)),
    max: rounded(Math.max(...measured)),
  };
}

/** Each stream is published and ended in its turn, so that the events of all arrive at the rate. */
async function comeAndGo(urls: readonly string[], seconds: number): Promise<void> {
  const turns = Math.ceil((seconds * PER_SECOND) / 2);
  const everyMs = 2000 / PER_SECOND;
  const open: Promise<{ close(): void }>[] = [];
  for (let turn = 0; turn < turns; turn++) {
    open.push(publishRtmp(urls[turn % urls.length] ?? ''));
    // Half of the streams are on at any time.
    if (turn >= urls.length / 2) (await open[turn - urls.length / 2])?.close();
    await sleep(everyMs);
  }
  for (const publisher of open.slice(-urls.length / 2)) (await publisher).close();
}

async function latencies(hooks: Times, events: Times, since: number): Promise<number[]> {
  const end = performance.now() + ARRIVAL_TIMEOUT_MS;
  const found: number[] = [];
  for (let number = 0; number < STREAMS; number++) {
    for (const state of [1, 0] as const) {
      const told = hooks.of(`s${number}`, state);
      while (events.of(`s${number}`, state).length < told.length && performance.now() < end) await sleep(20);
      for (const [index, at] of told.entries()) {
        const arrived = events.of(`s${number}`, state)[index];
        if (arrived === undefined) throw new Error(`an event of s${number} never arrived`);
        if (at >= since) found.push(arrived - at);
      }
    }
  }
  return found;
}

/** Sits between the engine and the server, and notes the time when a hook arrives. */
async function startProxy(serverPort: number, hooks: Times, cleanup: AsyncDisposableStack): Promise<number> {
  const states: Readonly<Record<string, State>> = { publish: 1, publish_done: 0 };
  const pass: Handle = async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const fields = new URLSearchParams(body.toString());
    const state = states[fields.get('call') ?? ''];
    if (state !== undefined) hooks.add(fields.get('name')?.split('_')[1] ?? '', state);
    const { method, headers, url: path } = incoming;
    request({ port: serverPort, host: '127.0.0.1', method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502);
      answer.pipe(outgoing);
    })
      .on('error', () => outgoing.destroy())
      .end(body);
  };
  const server = await listening(pass);
  cleanup.defer(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

async function startReceiver(events: Times, cleanup: AsyncDisposableStack): Promise<string> {
  const take: Handle = async (incoming, outgoing) => {
    const at = performance.now();
    const event = JSON.parse((await buffer(incoming)).toString()) as { streamId: string; streamState: State };
    events.of(event.streamId, event.streamState).push(at);
    outgoing.writeHead(200).end();
  };
  const server = await listening(take);
  cleanup.defer(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

async function listening(handle: Handle): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
