/**
 * The table of addresses that nobody outside may make us talk to, each row with its reason. What a setting can open: `range`:
 * any CIDR that covers the address; `exact`: only the address itself; `never`: nothing.
 */
import ipaddr from 'ipaddr.js';

export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

export type DenialReason =
  | 'metadata'
  | 'unspecified'
  | 'broadcast'
  | 'multicast'
  | 'loopback'
  | 'private'
  | 'linkLocal'
  | 'carrierGradeNat'
  | 'uniqueLocal'
  | 'siteLocal'
  | 'documentation'
  | 'benchmarking'
  | 'discard'
  | 'segmentRouting'
  | 'protocolAssignments'
  | 'reserved'
  | 'ipv4Compatible'
  | 'ipv4Translated'
  | 'nat64'
  | '6to4'
  | 'teredo'
  | 'isatap'
  | 'ownListener'
  | 'notAnAddress';

export interface DeniedRange {
  readonly range: string;
  readonly reason: DenialReason;
  readonly opens: 'range' | 'exact' | 'never';
}

const row = (range: string, reason: DenialReason, opens: DeniedRange['opens'] = 'range'): DeniedRange => ({
  range,
  reason,
  opens,
});

/** In order: the first row that contains an address decides. */
export const deniedRanges: readonly DeniedRange[] = [
  // Cloud services that hand credentials to anyone who asks from the machine. Some are in public ranges.
  row('169.254.169.254/32', 'metadata', 'exact'), // AWS, Azure, Google, OpenStack, DigitalOcean
  row('169.254.169.253/32', 'metadata', 'exact'), // AWS name server
  row('169.254.170.2/32', 'metadata', 'exact'), // ECS task credentials
  row('169.254.170.23/32', 'metadata', 'exact'), // EKS pod identity
  row('169.254.0.23/32', 'metadata', 'exact'), // Tencent
  row('169.254.42.42/32', 'metadata', 'exact'), // Scaleway
  row('100.100.100.200/32', 'metadata', 'exact'), // Alibaba
  row('192.0.0.192/32', 'metadata', 'exact'), // Oracle
  row('168.63.129.16/32', 'metadata', 'exact'), // Azure's host service
  row('fd00:ec2::254/128', 'metadata', 'exact'),
  row('fd00:ec2::253/128', 'metadata', 'exact'),
  row('fd00:ec2::23/128', 'metadata', 'exact'),
  row('fd20:ce::254/128', 'metadata', 'exact'), // Google
  row('fd00:42::42/128', 'metadata', 'exact'), // Scaleway

  row('0.0.0.0/8', 'unspecified', 'never'),
  row('10.0.0.0/8', 'private'),
  row('100.64.0.0/10', 'carrierGradeNat'),
  row('127.0.0.0/8', 'loopback'),
  row('169.254.0.0/16', 'linkLocal'),
  row('172.16.0.0/12', 'private'),
  row('192.0.0.0/24', 'protocolAssignments'),
  row('192.0.2.0/24', 'documentation'),
  row('192.88.99.0/24', '6to4'), // relays
  row('192.168.0.0/16', 'private'),
  row('198.18.0.0/15', 'benchmarking'),
  row('198.51.100.0/24', 'documentation'),
  row('203.0.113.0/24', 'documentation'),
  row('224.0.0.0/4', 'multicast', 'never'),
  row('255.255.255.255/32', 'broadcast', 'never'),
  row('240.0.0.0/4', 'reserved'),

  row('::/128', 'unspecified', 'never'),
  row('::1/128', 'loopback'),
  row('100::/64', 'discard'),
  row('100:0:0:1::/64', 'discard'),
  row('2001::/23', 'protocolAssignments'), // benchmarking, ORCHID and the like
  row('2001:db8::/32', 'documentation'),
  row('3fff::/20', 'documentation'),
  row('3ffe::/16', 'reserved'), // the former 6bone
  row('5f00::/16', 'segmentRouting'),
  row('fc00::/7', 'uniqueLocal'),
  row('fe80::/10', 'linkLocal'),
  row('fec0::/10', 'siteLocal'),
  row('ff00::/8', 'multicast', 'never'),
];

/** Only this part of IPv6 is allocated to the public internet; everything else that matches no row is 'reserved'. */
export const GLOBAL_UNICAST = '2000::/3';

export interface Embedding {
  readonly reason: DenialReason;
  readonly holds: (parts: readonly number[]) => boolean;
  /** The IPv4 addresses inside; each of them must pass as well, even if a setting opens the range. */
  readonly inside: (parts: readonly number[]) => readonly ipaddr.IPv4[];
}

/** IPv4 embedded in IPv6. IPv4-mapped addresses are not here: they are IPv4 and are judged as such. */
export const embeddings: readonly Embedding[] = [
  {
    reason: 'ipv4Compatible', // ::a.b.c.d, but not :: and ::1
    holds: (p) => startsWith(p, 0, 0, 0, 0, 0, 0) && !(p[6] === 0 && (p[7] ?? 0) <= 1),
    inside: (p) => [ipv4At(p, 6)],
  },
  {
    reason: 'ipv4Translated', // ::ffff:0:a.b.c.d
    holds: (p) => startsWith(p, 0, 0, 0, 0, 0xffff, 0),
    inside: (p) => [ipv4At(p, 6)],
  },
  {
    reason: 'nat64', // 64:ff9b::a.b.c.d
    holds: (p) => startsWith(p, 0x64, 0xff9b, 0, 0, 0, 0),
    inside: (p) => [ipv4At(p, 6)],
  },
  {
    reason: 'nat64', // 64:ff9b:1::/48, for local use
    holds: (p) => startsWith(p, 0x64, 0xff9b, 1),
    inside: (p) => [ipv4At(p, 6)],
  },
  {
    reason: '6to4',
    holds: (p) => startsWith(p, 0x2002),
    inside: (p) => [ipv4At(p, 1)],
  },
  {
    reason: 'teredo', // the server's address, and the client's with all bits inverted
    holds: (p) => startsWith(p, 0x2001, 0),
    inside: (p) => [ipv4At(p, 2), ipv4At(p, 6, 0xffff)],
  },
  {
    reason: 'isatap', // under any prefix
    holds: (p) => (p[4] === 0 || p[4] === 0x200) && p[5] === 0x5efe,
    inside: (p) => [ipv4At(p, 6)],
  },
];

function startsWith(parts: readonly number[], ...start: readonly number[]): boolean {
  return start.every((part, at) => parts[at] === part);
}

function ipv4At(parts: readonly number[], at: number, mask = 0): ipaddr.IPv4 {
  const high = (parts[at] ?? 0) ^ mask;
  const low = (parts[at + 1] ?? 0) ^ mask;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
