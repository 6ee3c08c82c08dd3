/**
 * One SIP port: a UDP socket and a TCP listener at the same address. Gives every message that can be read to its handler, with
 * the peer that it came from; what can't be read is dropped, and over TCP its connection with it. Connections are bounded
 * in number, in memory, and in the time that they may stay without having proven to be a device's.
 */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { SipFault } from './fault.ts';
import { Frames } from './frames.ts';
import { parseMessage, type SipMessage } from './message.ts';

export interface Peer {
  readonly transport: 'udp' | 'tcp';
  readonly address: string;
  readonly port: number;
  send(bytes: Buffer): void;
  /** A device is there: its connection may stay. */
  keep(): void;
}

export interface TransportOptions {
  readonly address: string;
  readonly port: number;
  readonly maxConnections: number;
  /** A device's connection that is silent for longer is closed. */
  readonly idleMs: number;
  readonly onMessage: (message: SipMessage, peer: Peer) => void;
  readonly onUnreadable: () => void;
  /** Something went wrong with what came. Nothing above a socket's listener catches anything, so it is caught there. */
  readonly onFailure: (error: unknown) => void;
}

export interface Transport {
  /** The device that was last seen there; messages to it may be lost, as all datagrams may. */
  udpPeer(address: string, port: number): Peer;
  readonly connections: number;
  close(): Promise<void>;
}

/** Bursts of thousands of datagrams come when a site's power is back. */
const RECEIVE_BUFFER = 4 * 2 ** 20;
/** Whoever opens a connection has so long to register. */
const PROVE_WITHIN_MS = 30_000;
/** Answers that a connection does not read. */
const MOST_UNREAD = 256 * 1024;

export async function openTransport(options: TransportOptions): Promise<Transport> {
  const udp = dgram.createSocket({
    type: net.isIP(options.address) === 6 ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER,
  });
  const tcp = net.createServer();
  try {
    udp.bind(options.port, options.address);
    await once(udp, 'listening');
    tcp.listen(options.port, options.address);
    await once(tcp, 'listening');
  } catch (error) {
    udp.close();
    throw error;
  }
  let isOpen = true;
  const udpPeer = (address: string, port: number): Peer => ({
    transport: 'udp',
    address: plainAddress(address),
    port,
    // An answer that can not be sent is one that was lost on the way, also where the socket refuses it at once.
    send(bytes) {
      if (!isOpen) return;
      try {
        udp.send(bytes, port, address, () => undefined);
      } catch {}
    },
    keep: () => undefined,
  });
  udp.on('error', () => undefined);
  udp.on('message', (bytes, { address, port }) => {
    try {
      // Nobody can be answered at port 0: only a forged datagram has it.
      const message = port === 0 ? undefined : readable(bytes, false);
      if (message === undefined) options.onUnreadable();
      else options.onMessage(message, udpPeer(address, port));
    } catch (error) {
      options.onFailure(error);
    }
  });
  const sockets = new Set<net.Socket>();
  const ofAddress = new Map<string, number>();
  tcp.on('error', () => undefined);
  tcp.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const count = ofAddress.get(address) ?? 0;
    // No single address takes all there are.
    if (sockets.size >= options.maxConnections || count >= options.maxConnections / 2) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    ofAddress.set(address, count + 1);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (ofAddress.get(address) ?? 1) - 1;
      if (left === 0) ofAddress.delete(address);
      else ofAddress.set(address, left);
    });
    serve(socket, address, options);
  });
  return {
    udpPeer,
    get connections() {
      return sockets.size;
    },
    async close() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      tcp.close();
      await Promise.all(closed);
    },
  };
}

function serve(socket: net.Socket, address: string, options: TransportOptions): void {
  const frames = new Frames();
  const proof = setTimeout(() => socket.destroy(), PROVE_WITHIN_MS);
  const peer: Peer = {
    transport: 'tcp',
    address,
    port: socket.remotePort ?? 0,
    send(bytes) {
      if (!socket.writable) return;
      socket.write(bytes);
      if (socket.writableLength > MOST_UNREAD) socket.destroy();
    },
    keep: () => clearTimeout(proof),
  };
  const refuse = () => {
    options.onUnreadable();
    socket.destroy();
  };
  socket.setNoDelay(true);
  socket.setTimeout(options.idleMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.once('close', () => clearTimeout(proof));
  socket.on('data', (chunk) => {
    try {
      for (const bytes of frames.add(chunk as Buffer)) {
        const message = readable(bytes, true);
        if (message === undefined) return refuse();
        options.onMessage(message, peer);
      }
    } catch (error) {
      if (error instanceof SipFault) return refuse();
      options.onFailure(error);
      socket.destroy();
    }
  });
}

function readable(bytes: Buffer, stream: boolean): SipMessage | undefined {
  try {
    return parseMessage(bytes, { stream });
  } catch (error) {
    if (error instanceof SipFault) return undefined;
    throw error;
  }
}

function plainAddress(address: string): string {
  return /^::ffff:(?=[\d.]+$)/i.test(address) ? address.slice(7) : address;
}
