/** Addresses of peers: how they are written, counted and compared. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address that arrives on an IPv6 socket is written as plain IPv4. */
export function unmapIpv4(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4
    ? address.slice(7)
    : address;
}

/** The key that a peer is counted by: an IPv4 address, or the /64 of an IPv6 address, since anybody has 2^64 addresses in one. */
export function clientNetwork(address: string): string {
  const plain = unmapIpv4(address);
  if (isIP(plain) !== 6) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
