/** Four ports in a row: HTTP, HTTPS, health and resets, metrics. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { UsageFault } from '../exit.ts';

export interface Ports {
  readonly http: number;
  readonly https: number;
  /** Health, and what a test may ask of us. */
  readonly control: number;
  readonly metrics: number;
}

const MOST_TRIES = 20;

/** 0: any that are free. */
export async function choosePorts(first: number): Promise<Ports> {
  if (first !== 0) {
    const ports = inARow(first);
    for (const port of Object.values(ports))
      if (!(await isFree(port)))
        throw new UsageFault(
          `port ${port} is taken: --port gives others (four in a row are needed), --port 0 any that are free`,
        );
    return ports;
  }
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const ports = inARow(await anyPort());
    const free = await Promise.all(Object.values(ports).map(isFree));
    if (free.every(Boolean)) return ports;
  }
  throw new Error('no four free ports in a row were found');
}

function inARow(first: number): Ports {
  return { http: first, https: first + 1, control: first + 2, metrics: first + 3 };
}

async function isFree(port: number): Promise<boolean> {
  if (port > 65_535) return false;
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function anyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
