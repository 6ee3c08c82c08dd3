import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientNetwork, unmapIpv4 } from './addresses.ts';

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::', '2001:0DB8:0001:2::', '2001:db8:1:2::/64'],
  ['64:ff9b::1.2.3.4', '64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
  ['1::', '1::', '1:0:0:0::/64'],
  ['::1', '::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', '', ''],
])('%s is %s and counted as %s', (address, plain, network) => {
  expect([unmapIpv4(address), clientNetwork(address)]).toEqual([plain, network]);
});

test('however an IPv6 address is written, its network is the same, and another half makes no other', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      const canonical = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1);
      expect(clientNetwork(canonical(one))).toBe(clientNetwork(one));
      const upper = clientNetwork(one).slice(0, -'::/64'.length);
      const lower = clientNetwork(other).slice(0, -'::/64'.length);
      expect(clientNetwork(`${upper}:${lower}`)).toBe(clientNetwork(one));
    }),
  );
});
