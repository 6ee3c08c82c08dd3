/**
 * Publishes a stream to an RTMP engine: does the handshake, connects, asks to publish, and then sends FLV tags as messages.
 * Sending waits for the engine, so nothing piles up here. Fault messages never contain the address: it may hold a key.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { readLastNumber } from './amf.ts';
import { RtmpConnection } from './connection.ts';
import type { FlvTag } from './flv-reader.ts';

export interface RtmpPublisher {
  /** Resolves when the engine has room for more; rejects when the connection is over. */
  send(tag: FlvTag): Promise<void>;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

const PUBLISH_TIMEOUT_MS = 15_000;
/**
 * Our engine makes HLS from what it passes on to itself, which begins a moment after a publisher is admitted, at a key frame.
 * Without this pause the first key frame would be missed, and viewers would wait for the second.
 */
const PASSED_ON_AFTER_MS = 250;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'rtmp:': 1935, 'rtmps:': 443 };

/** `url`: `rtmp://host:port/app/name?arguments`. Rejects if the engine is down, or refuses the publisher. */
export async function publishRtmp(url: string, signal: AbortSignal): Promise<RtmpPublisher> {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const address = { host, port: Number(port) || (DEFAULT_PORTS[protocol] ?? 1935) };
  const [, app = '', ...name] = pathname.split('/');
  signal.throwIfAborted();
  const isSecure = protocol === 'rtmps:';
  const socket = isSecure
    ? tls.connect({ ...address, servername: net.isIP(host) === 0 ? host : '' })
    : net.connect(address);
  const connection = new RtmpConnection(socket);
  const abort = () => connection.end('publishing was cancelled');
  const patience = setTimeout(() => connection.end('the engine does not answer'), PUBLISH_TIMEOUT_MS);
  signal.addEventListener('abort', abort, { once: true });
  void connection.closed.then(() => signal.removeEventListener('abort', abort));
  try {
    await connection.until(once(socket, isSecure ? 'secureConnect' : 'connect'));
    await connection.handshake();
    connection.command(0, 'connect', 1, {
      app,
      type: 'nonprivate',
      flashVer: 'Millpond',
      tcUrl: `${protocol}//${hostname}:${address.port}/${app}`,
    });
    await connection.result(1);
    connection.command(0, 'createStream', 2, null);
    const created = await connection.result(2);
    const stream = readLastNumber(created);
    connection.command(stream, 'publish', 3, null, `${name.join('/')}${search}`, 'live');
    await connection.published();
    await connection.until(sleep(PASSED_ON_AFTER_MS));
    connection.settle();
    return {
      send: (tag) => connection.send(tag, stream),
      closed: connection.closed,
      close: () => connection.end('publishing was ended'),
    };
  } catch (error) {
    connection.end('publishing was cancelled');
    throw error;
  } finally {
    clearTimeout(patience);
  }
}
