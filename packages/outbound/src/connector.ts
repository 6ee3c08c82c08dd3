/**
 * Opens connections for undici, and is where addresses are judged: a hook into name lookup would not see addresses written in a
 * URL. All addresses of a name must pass; the connection goes to one of those that were judged, and the peer is judged once
 * more before the first byte is sent.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { type AddressGuard, sameAddress } from './address.ts';
import { CONNECTION_RESET, codeOf, connectDetail, OutboundError } from './faults.ts';
import type { Resolver } from './resolver.ts';

export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly resolve: Resolver;
  /** For name lookup, connection and TLS together. */
  readonly connectMs: number;
  /** The name that the TLS certificate must match; undefined if the host is an address. */
  readonly serverName: string | undefined;
  /** PEM; trusted instead of this machine's own authorities. */
  readonly certificateAuthority?: string | undefined;
}

interface Endpoint {
  readonly hostname: string;
  readonly port: number;
}

/** Further addresses are judged, but not tried. */
const MAX_ATTEMPTS = 6;

export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:';
    const endpoint = { hostname, port: port === '' ? (secure ? 443 : 80) : Number(port) };
    void handOver(openConnection(options, endpoint, secure), callback);
  };
}

async function handOver(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  const [opened] = await Promise.allSettled([opening]);
  if (opened.status === 'fulfilled') callback(null, opened.value);
  else callback(opened.reason as Error, null);
}

/**
 * undici takes a reset for the end of a body that ends with its connection, and so a short body for a complete one. Under
 * another name undici treats it as an error. Must listen before undici does.
 */
export function renameResets(socket: Socket): Socket {
  return socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = CONNECTION_RESET;
  });
}

async function openConnection(options: ConnectorOptions, to: Endpoint, secure: boolean): Promise<Socket> {
  const started = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(slow()), options.connectMs);
  const remaining = (): number => Math.max(1, options.connectMs - (performance.now() - started));
  try {
    const addresses = await orAborted(allowedAddresses(options, to), deadline.signal);
    const socket = await connectToAny(options, to, addresses, remaining);
    const ready = secure ? await startTls(socket, options, to.hostname, deadline.signal) : socket;
    return renameResets(ready);
  } finally {
    clearTimeout(timer);
  }
}

async function allowedAddresses(options: ConnectorOptions, to: Endpoint): Promise<readonly string[]> {
  const addresses = isIP(to.hostname) === 0 ? await resolved(options.resolve, to.hostname) : [to.hostname];
  for (const address of addresses) checkAddress(options.guard, to, address);
  for (const name of options.guard.ownNames(to.port)) {
    // A listener of ours whose name has no address is nowhere.
    const own = await options.resolve(name).catch(() => []);
    const found = addresses.find((address) => own.some((each) => sameAddress(each, address)));
    if (found !== undefined) throw denied(to.hostname, found, 'ownListener');
  }
  return addresses;
}

/** Throws OutboundError 'blocked' if connections there are denied. */
export function checkAddress(guard: AddressGuard, { hostname, port }: Endpoint, address: string): void {
  const reason = guard.denial(address, port);
  if (reason !== undefined) throw denied(hostname, address, reason);
}

function denied(host: string, address: string, reason: string): OutboundError {
  return new OutboundError('blocked', 'the address of this host is not allowed', {
    blocked: { host, address, reason },
  });
}

async function resolved(resolve: Resolver, hostname: string): Promise<readonly string[]> {
  try {
    const addresses = await resolve(hostname);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw new OutboundError('resolve', 'the host name could not be resolved', { cause: error });
  }
  throw new OutboundError('resolve', 'the host name has no address');
}

async function connectToAny(
  options: ConnectorOptions,
  to: Endpoint,
  addresses: readonly string[],
  remaining: () => number,
): Promise<Socket> {
  const tried = addresses.slice(0, MAX_ATTEMPTS);
  let failure: unknown;
  for (const [at, address] of tried.entries()) {
    try {
      // Each address gets its share of the remaining time, so that a dead one leaves some for the next.
      const socket = await connectTo(address, to.port, remaining() / (tried.length - at));
      return checkedPeer(options.guard, to, address, socket);
    } catch (error) {
      if (error instanceof OutboundError && error.kind === 'blocked') throw error;
      failure = error;
    }
  }
  if (failure instanceof OutboundError) throw failure;
  throw new OutboundError('connect', connectDetail(codeOf(failure)), { cause: failure });
}

function connectTo(address: string, port: number, milliseconds: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
    const timer = setTimeout(() => socket.destroy(slow()), Math.ceil(milliseconds));
    const onError = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', onError).once('connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

function checkedPeer(guard: AddressGuard, to: Endpoint, address: string, socket: Socket): Socket {
  const peer = socket.remoteAddress;
  try {
    if (peer === undefined) throw new OutboundError('connect', 'the connection was lost');
    checkAddress(guard, to, peer);
    if (!sameAddress(peer, address)) throw denied(to.hostname, peer, 'anotherPeer');
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

function startTls(
  socket: Socket,
  options: ConnectorOptions,
  hostname: string,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      host: hostname,
      ...(options.serverName === undefined ? {} : { servername: options.serverName }),
      ALPNProtocols: ['http/1.1'],
      ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
    });
    const onAbort = (): void => {
      secured.destroy(slow());
    };
    const onError = (error: Error): void => {
      signal.removeEventListener('abort', onAbort);
      reject(error instanceof OutboundError ? error : tlsFault(error));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    secured.once('error', onError).once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort);
      secured.off('error', onError);
      resolve(secured);
    });
  });
}

function tlsFault(error: Error): OutboundError {
  const code = codeOf(error);
  const detail = /^[A-Z_]{3,64}$/.test(code)
    ? `the TLS handshake failed (${code})`
    : 'the TLS handshake failed';
  return new OutboundError('tls', detail, { cause: error });
}

function slow(): OutboundError {
  return new OutboundError('timeout', 'no connection in time');
}

/** Name lookup cannot be cancelled; its answer is ignored. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
