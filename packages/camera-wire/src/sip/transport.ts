/**
 * One SIP port: a UDP socket and a TCP listener at the same address. Passes every readable message to its handler, with the
 * peer that it came from; unreadable ones are dropped, and over TCP the connection with them. The messages of one network are
 * limited before they are read: a datagram's source address may be forged.
 */
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { clientNetwork, type Rate, RateLimiter, unmapIpv4 } from '@millpond/base';
import type { ConnectionLimits, Listeners } from './connection.ts';
import { Connections } from './connections.ts';
import { SipParseError } from './fault.ts';
import { parseMessage } from './message.ts';
import type { Peer } from './peer.ts';

export interface TransportOptions extends ConnectionLimits, Listeners {
  readonly address: string;
  /** 0: any port that is free for datagrams. */
  readonly port: number;
  readonly messagesPerAddress: Rate;
}

export interface Transport {
  readonly port: number;
  /** The device that was last seen there; messages to it may be lost, like all datagrams. */
  udpPeer(address: string, port: number): Peer;
  readonly connections: number;
  close(): Promise<void>;
}

/** Bursts of thousands of datagrams come when a site's power returns. */
const RECEIVE_BUFFER = 4 * 2 ** 20;

export async function openTransport(options: TransportOptions): Promise<Transport> {
  const udp = dgram.createSocket({
    type: net.isIP(options.address) === 6 ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER,
  });
  const messages = new RateLimiter(options.messagesPerAddress, 'tooManyRequests');
  const connections = new Connections(options, options, messages);
  const tcp = connections.server;
  try {
    udp.bind(options.port, options.address);
    await once(udp, 'listening');
    tcp.listen(udp.address().port, options.address);
    await once(tcp, 'listening');
  } catch (error) {
    udp.close();
    throw error;
  }
  let isOpen = true;
  const udpPeer = (address: string, port: number): Peer => ({
    transport: 'udp',
    address: unmapIpv4(address),
    port,
    // An answer that cannot be sent counts as lost on the way, even if the socket refuses it at once.
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
      if (messages.tryTake(clientNetwork(address)) > 0) options.onDropped();
      // Port 0 cannot be answered: only a forged datagram has it.
      else if (port === 0) options.onUnreadable();
      else options.onMessage(parseMessage(bytes), udpPeer(address, port));
    } catch (error) {
      if (error instanceof SipParseError) options.onUnreadable();
      else options.onFailure(error);
    }
  });
  tcp.on('error', () => undefined);
  return {
    port: udp.address().port,
    udpPeer,
    get connections() {
      return connections.size;
    },
    async close() {
      isOpen = false;
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      connections.close();
      await Promise.all(closed);
    },
  };
}
