import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInNetwork, networkProblem } from './networks.ts';

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.8', '192.0.2.7', false],
  ['::ffff:192.0.2.7', '192.0.2.0/24', true],
  ['::FFFF:c000:207', '192.0.2.0/24', true],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['192.0.2.7', '0.0.0.0/0', true],
  ['192.0.2.7', '::/0', false],
  ['::ffff:192.0.2.7', '::/0', false],
  ['::1', '0.0.0.0/0', false],
  ['', '0.0.0.0/0', false],
  ['local', '0.0.0.0/0', false],
])('%s in %s: %s', (address, network, isIn) => {
  expect(isInNetwork(address, network)).toBe(isIn);
});

test.each([
  '',
  '10',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0.1/8',
  '010.0.0.0/8',
  '256.0.0.0/8',
  '1.2.3/8',
  '2001:db8::1/32',
  '2001:db8::/129',
  '2001:db8:::/32',
  '1::2::3',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8:9',
  '1:2:3:4:5:6:7',
  '12345::',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  '10.0.0.0/8 ',
  'example.com',
  '١٠.0.0.0/8',
])('%j is no network', (network) => {
  expect(networkProblem(network)).toContain(JSON.stringify(network));
  expect(isInNetwork('10.0.0.1', network)).toBe(false);
});

test('as the runtime judges, whatever the spelling', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => isIP(text) !== 0);
  fc.assert(
    fc.property(address, address, fc.nat(128), (inner, outer, length) => {
      const bits = Math.min(length, isIP(outer) === 4 ? 32 : 128);
      const family = isIP(outer) === 4 ? 'ipv4' : 'ipv6';
      const list = new BlockList();
      list.addSubnet(outer, bits, family);
      const network = `${outer}/${bits}`;
      // Only networks with zeros after their length are networks here.
      if (networkProblem(network) !== undefined) return;
      // The runtime looks for IPv4 addresses in IPv6 networks, too.
      if (isIP(inner) !== isIP(outer) || /^::ffff/i.test(inner)) return;
      expect(isInNetwork(inner, network)).toBe(list.check(inner, family));
      expect(isInNetwork(outer, network)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('near networks, where random addresses seldom lie', () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), fc.nat(31), (base, bits, flip) => {
      const masked = bits === 0 ? 0 : (base & (0xffffffff << (32 - bits))) >>> 0;
      const other = (masked ^ (1 << flip)) >>> 0;
      // Bit 31 is the first of an address.
      expect(isInNetwork(dotted(other), `${dotted(masked)}/${bits}`)).toBe(31 - flip >= bits);
      const mapped = `::ffff:${dotted(other)}`;
      expect(isInNetwork(mapped, `${dotted(masked)}/${bits}`)).toBe(31 - flip >= bits);
    }),
  );
});

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}
