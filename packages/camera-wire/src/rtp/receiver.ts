/** Receives the media of one session at a separate port, by datagrams or by one connection from the sender. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { ByteQueue, clientNetwork, KeyedCounter, PieceDebt, unmapIpv4 } from '@millpond/base';
import { type IntakeCounts, type NegotiatedSource, RtpFilter } from './intake.ts';

export interface RtpReceiverOptions {
  readonly transport: 'udp' | 'tcp';
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  /** In order. */
  readonly onPayload: (payload: Buffer) => void;
  /** The connection from which packets came has ended. */
  readonly onEnd: () => void;
  /** Handling the input failed. Nothing above a socket's listener catches errors, so they are caught there. */
  readonly onFailure: (error: unknown) => void;
}

export interface RtpReceiver {
  readonly port: number;
  readonly counts: IntakeCounts;
  /** From now on this, and only this, is accepted. */
  expect(negotiatedSource: NegotiatedSource): void;
  close(): void;
}

/** A key frame arrives all at once. */
const RECEIVE_BUFFER = 2 * 2 ** 20;
/** Connections that arrive before it is known who may connect: strangers must not keep the sender out. */
const MAX_CONNECTIONS = 32;
const MAX_CONNECTIONS_PER_NETWORK = 4;

/** Rejects if the port is taken. */
export function openRtpReceiver(options: RtpReceiverOptions): Promise<RtpReceiver> {
  return options.transport === 'udp' ? openUdp(options) : openTcp(options);
}

async function openUdp({ address, port, onPayload, onFailure }: RtpReceiverOptions): Promise<RtpReceiver> {
  const rtpFilter = new RtpFilter(onPayload);
  const socket = dgram.createSocket({
    type: net.isIP(address) === 6 ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER,
  });
  socket.on('message', (bytes, from) => {
    try {
      rtpFilter.take(bytes, { address: unmapIpv4(from.address), port: from.port });
    } catch (error) {
      onFailure(error);
    }
  });
  try {
    socket.bind(port, address);
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.on('error', () => undefined);
  return {
    port: socket.address().port,
    get counts() {
      return rtpFilter.counts;
    },
    expect: (negotiatedSource) => rtpFilter.expect(negotiatedSource),
    close: () => socket.close(),
  };
}

async function openTcp({
  address,
  port,
  onPayload,
  onEnd,
  onFailure,
}: RtpReceiverOptions): Promise<RtpReceiver> {
  const rtpFilter = new RtpFilter(onPayload);
  /** With their networks, the oldest first. */
  const sockets = new Map<net.Socket, string>();
  const ofNetwork = new KeyedCounter();
  let sender: net.Socket | undefined;
  const server = net.createServer({ pauseOnConnect: true });
  server.listen(port, address);
  await once(server, 'listening');

  const drop = (socket: net.Socket): void => {
    const network = sockets.get(socket);
    if (network !== undefined) ofNetwork.remove(network);
    sockets.delete(socket);
    socket.destroy();
  };
  /** The oldest gives way: connections that wait for nothing must not keep the sender out, which comes last. */
  const makeRoom = (network: string): void => {
    const isNetworkFull = ofNetwork.of(network) >= MAX_CONNECTIONS_PER_NETWORK;
    if (!isNetworkFull && sockets.size < MAX_CONNECTIONS) return;
    for (const [socket, of] of sockets)
      if (!isNetworkFull || of === network) {
        drop(socket);
        return;
      }
  };
  /**
   * Until there is an agreement, connections wait unread. Then those from an agreed address are read, and the first with a packet of
   * this session is the sender's: others may come from behind the same address, and earlier.
   */
  const judge = (socket: net.Socket): void => {
    const { agreement } = rtpFilter;
    if (agreement === undefined) return;
    const from = unmapIpv4(socket.remoteAddress ?? '');
    if (!agreement.addresses.includes(from)) {
      drop(socket);
      return;
    }
    const frames = new TcpFrames();
    const source = { address: from, port: socket.remotePort ?? 0 };
    // 64 KiB hold 32,000 frames of two bytes.
    const pieces = new PieceDebt();
    let turn: NodeJS.Timeout | undefined;
    socket.on('data', (chunk: Buffer) => {
      try {
        let isTooMuch = false;
        for (const bytes of frames.add(chunk)) {
          if (pieces.add(bytes.length)) isTooMuch = true;
          if (rtpFilter.take(bytes, source) && sender === undefined) {
            sender = socket;
            for (const other of Array.from(sockets.keys())) if (other !== sender) drop(other);
          }
        }
        if (!isTooMuch) return;
        socket.pause();
        turn = setTimeout(() => socket.resume(), pieces.nextTurn());
      } catch (error) {
        onFailure(error);
      }
    });
    socket.once('close', () => {
      clearTimeout(turn);
      if (sender === socket) onEnd();
    });
    socket.resume();
  };
  server.on('error', () => undefined);
  server.on('connection', (socket) => {
    if (sender !== undefined) {
      socket.destroy();
      return;
    }
    const network = clientNetwork(socket.remoteAddress ?? '');
    makeRoom(network);
    sockets.set(socket, network);
    ofNetwork.add(network);
    socket.on('error', () => drop(socket));
    socket.once('close', () => drop(socket));
    judge(socket);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    get counts() {
      return rtpFilter.counts;
    },
    expect(negotiatedSource) {
      rtpFilter.expect(negotiatedSource);
      for (const socket of Array.from(sockets.keys())) judge(socket);
    },
    close() {
      server.close();
      for (const socket of Array.from(sockets.keys())) drop(socket);
    },
  };
}

/** Extracts packets from a connection: each is preceded by its length in two bytes (RFC 4571). Holds at most one. */
const LENGTH_BYTES = 2;

export class TcpFrames {
  readonly #held = new ByteQueue();

  /** The packets that are now complete. */
  add(chunk: Buffer): Buffer[] {
    this.#held.add(chunk);
    const whole: Buffer[] = [];
    for (;;) {
      const { bytes } = this.#held;
      const end = bytes.length < LENGTH_BYTES ? Number.NaN : LENGTH_BYTES + bytes.readUInt16BE(0);
      if (!(bytes.length >= end)) break;
      whole.push(bytes.subarray(LENGTH_BYTES, end));
      this.#held.drop(end);
    }
    this.#held.settle();
    return whole;
  }

  get heldBytes(): number {
    return this.#held.length;
  }
}
