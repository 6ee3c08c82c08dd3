/** Who is at the other end: address and whether the way was encrypted, as far as a trusted proxy may say so. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface Peer {
  readonly address: string;
  readonly secure: boolean;
}

export interface ProxyTrust {
  trusts(address: string): boolean;
}

/** Throws with the offending entry when one is neither an address nor a CIDR range. */
export function proxyTrust(entries: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) {
      throw new Error(`MILLPOND_TRUSTED_PROXIES: "${entry}" is neither an address nor a CIDR range`);
    }
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return { trusts: (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') };
}

export function peerOf(request: IncomingMessage, trust: ProxyTrust): Peer {
  const address = plainAddress(request.socket.remoteAddress ?? '');
  const secure = (request.socket as TLSSocket).encrypted === true;
  if (!trust.trusts(address)) return { address, secure };
  const proto = request.headers['x-forwarded-proto'];
  return {
    address: forwardedAddress(request.headers['x-forwarded-for'], trust) ?? address,
    secure: secure || proto === 'https',
  };
}

/** The last address that no trusted proxy of ours wrote itself: what stands left of it may be invented. */
function forwardedAddress(header: string | string[] | undefined, trust: ProxyTrust): string | undefined {
  if (typeof header !== 'string') return undefined;
  const addresses = header.split(',').map((part) => plainAddress(part.trim()));
  const foreign = addresses.findLast((address) => isIP(address) !== 0 && !trust.trusts(address));
  return foreign ?? addresses.find((address) => isIP(address) !== 0);
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
