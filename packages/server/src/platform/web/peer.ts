/** Who is at the other end: the address and whether the connection was encrypted, as far as a trusted proxy may say so. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { unmapIpv4 } from '@millpond/base';

export interface Peer {
  readonly address: string;
  readonly secure: boolean;
}

export interface ProxyTrust {
  trusts(address: string): boolean;
}

/** The entries are addresses and CIDR ranges, checked when the configuration is read. */
export function proxyTrust(entries: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return { trusts: (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') };
}

export function peerOf(request: IncomingMessage, trust: ProxyTrust): Peer {
  const address = unmapIpv4(request.socket.remoteAddress ?? '');
  const secure = (request.socket as TLSSocket).encrypted === true;
  if (!trust.trusts(address)) return { address, secure };
  const proto = request.headers['x-forwarded-proto'];
  return {
    address: forwardedAddress(request.headers['x-forwarded-for'], trust) ?? address,
    secure: secure || proto === 'https',
  };
}

/**
 * The last address that is not one of our trusted proxies: anything to the left of it may be invented. The same holds for
 * anything to the left of a word that is not an address, so reading stops there.
 */
function forwardedAddress(header: string | string[] | undefined, trust: ProxyTrust): string | undefined {
  if (typeof header !== 'string') return undefined;
  let nearest: string | undefined;
  for (const part of header.split(',').toReversed()) {
    const address = unmapIpv4(withoutPort(part.trim()));
    if (isIP(address) === 0) return nearest;
    if (!trust.trusts(address)) return address;
    nearest = address;
  }
  return nearest;
}

/** Some proxies add the port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return (
    /^\[([0-9a-fA-F:.]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  );
}
