/** The call that asks a device for a channel's live video. */
import { randomBytes } from 'node:crypto';
import { formatOffer, type MediaTransport, type Peer } from '@millpond/camera-wire';

export interface InvitationOptions {
  readonly serverId: string;
  readonly realm: string;
  /** `host:port` at which devices reach us. */
  readonly host: string;
  /** Where to send media. */
  readonly mediaHost: string;
  readonly transport: MediaTransport;
}

export interface InviteTarget {
  readonly peer: Pick<Peer, 'address' | 'port'>;
  /** The channel's id. */
  readonly target: string;
  readonly ssrc: string;
  readonly port: number;
}

export function invitationTo({ peer, target, ssrc, port }: InviteTarget, options: InvitationOptions) {
  const { serverId, realm, host, mediaHost, transport } = options;
  const address = peer.address.includes(':') ? `[${peer.address}]` : peer.address;
  const headers = [
    ['From', `<sip:${serverId}@${realm}>;tag=${randomBytes(5).toString('hex')}`],
    ['To', `<sip:${target}@${realm}>`],
    ['Call-ID', `${randomBytes(10).toString('hex')}@${host}`],
    ['Contact', `<sip:${serverId}@${host}>`],
    // Who sends what to whom, in the form of GB/T 28181.
    ['Subject', `${target}:${ssrc},${serverId}:0`],
  ] as const;
  return {
    uri: `sip:${target}@${address}:${peer.port}`,
    headers,
    body: formatOffer({ serverId, address: mediaHost, port, transport, ssrc }),
  };
}

/** Ten digits: 0 for live, five of our own id, and four that no other session has. */
export function ssrcOf(serverId: string, number: number): string {
  return `0${serverId.slice(3, 8)}${String(number).padStart(4, '0')}`;
}
