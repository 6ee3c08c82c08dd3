/** Addresses of peers, as they are written, counted and compared. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address that came to a socket of IPv6 is written as that IPv4 address. */
export function plainAddress(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4
    ? address.slice(7)
    : address;
}

/** By what a peer is counted: an IPv4 address, or the /64 of an IPv6 one, of which anybody has 2^64 addresses. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
