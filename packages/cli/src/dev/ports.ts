/** Consecutive ports: for the server, S3, live streams, devices and the console. */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { UsageError } from '../exit.ts';

export interface Ports {
  readonly http: number;
  readonly https: number;
  /** Health, and requests from tests. */
  readonly control: number;
  readonly metrics: number;
  /** Where publishers of live streams connect. */
  readonly rtmp: number;
  /** nginx HTTP port, called by the server. */
  readonly engine: number;
  /** Port on which the RTMP engine publishes to itself. */
  readonly feed: number;
  /** Where devices register. */
  readonly sip: number;
  /** The S3 protocol, plain and over TLS. */
  readonly s3: number;
  readonly s3Secure: number;
  /** The first of the ports at which media from devices arrive. */
  readonly media: number;
  /** After those: they must begin with an even one where the first is even. */
  readonly console: number;
}

/** Two for each concurrent channel. */
export const MEDIA_PORTS = 8;
export const PORTS = 11 + MEDIA_PORTS;
export const HIGHEST_FIRST_PORT = 65_536 - PORTS;

const MAX_TRIES = 50;
/** Below the ephemeral ports that systems assign to outgoing connections: what is free here stays free for longer. */
const [LOWEST, HIGHEST] = [10_240, 32_000];

/** 0: any free ones. */
export async function choosePorts(first: number): Promise<Ports> {
  if (first !== 0) {
    const taken = await takenAmong(first);
    if (taken === undefined) return inARow(first);
    throw new UsageError(
      `port ${taken} is in use: give another --port (${PORTS} consecutive ports are needed), or --port 0 for free ones`,
    );
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const candidate = randomInt(LOWEST, HIGHEST - PORTS);
    if ((await takenAmong(candidate)) === undefined) return inARow(candidate);
  }
  throw new Error(`no ${PORTS} consecutive free ports were found`);
}

function inARow(first: number): Ports {
  return {
    http: first,
    https: first + 1,
    control: first + 2,
    metrics: first + 3,
    rtmp: first + 4,
    engine: first + 5,
    sip: first + 6,
    feed: first + 7,
    s3: first + 8,
    s3Secure: first + 9,
    media: first + 10,
    console: first + 10 + MEDIA_PORTS,
  };
}

async function takenAmong(first: number): Promise<number | undefined> {
  const all = Array.from({ length: PORTS }, (_, index) => first + index);
  const free = await Promise.all(all.map(isFree));
  return all.find((_, index) => !free[index]);
}

/** By TCP and by UDP. */
async function isFree(port: number): Promise<boolean> {
  if (port > 65_535) return false;
  const server = createServer().listen(port, '127.0.0.1');
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  const [tcp, udp] = await Promise.all([isListening(server), isListening(socket)]);
  if (tcp) await new Promise((resolve) => server.close(resolve));
  if (udp) await new Promise<void>((resolve) => socket.close(resolve));
  return tcp && udp;
}

function isListening(opening: NodeJS.EventEmitter): Promise<boolean> {
  return once(opening, 'listening').then(
    () => true,
    () => false,
  );
}
