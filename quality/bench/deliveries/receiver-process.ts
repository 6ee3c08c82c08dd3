/** The receivers of a bench, in a separate process: many ports, some of which answer and some never do. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Arrival, RECEIVER_ADDRESS, type ReceiverMessage, type ReceiverOrder } from './receiver.ts';

const REPORT_MS = 10;
const HANG_MS = 30_000;

let count = 0;
let arrivals: Arrival[] | undefined;

async function listen(hangs: boolean): Promise<number> {
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    const id = String(request.headers['webhook-id']);
    request.resume();
    if (hangs) {
      setTimeout(() => response.destroy(), HANG_MS).unref();
      return;
    }
    arrivals?.push({ id, at });
    request.once('end', () => {
      count += 1;
      response.writeHead(200, { 'content-length': '2' }).end('{}');
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, RECEIVER_ADDRESS, 4096);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const say = (message: ReceiverMessage) => process.send?.(message);

async function listenAt(count: number, hangs: boolean): Promise<void> {
  const ports: number[] = [];
  for (let i = 0; i < count; i++) ports.push(await listen(hangs));
  say({ kind: 'ports', ports });
}

process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'listen') void listenAt(order.count, order.hangs);
  else if (order.kind === 'record') arrivals = [];
  else {
    say({ kind: 'arrivals', arrivals: arrivals ?? [] });
    arrivals = undefined;
  }
});

let told = -1;
setInterval(() => {
  if (count === told) return;
  told = count;
  say({ kind: 'count', count, at: performance.timeOrigin + performance.now() });
}, REPORT_MS);
