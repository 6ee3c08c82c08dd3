import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { createAddressGuard, parseAllowed, sameAddress } from './address.ts';
import { deniedRanges } from './ranges.ts';

const closed = createAddressGuard();
const judged = (address: string, allow: readonly string[] = []): string | undefined =>
  createAddressGuard({ allow }).denial(address, 80);

const ipv4 = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255))).map((bytes) => bytes.join('.'));
const hexPairs = (address: string): [string, string] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
};

describe('public addresses pass', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00::1',
    '::ffff:8.8.8.8',
  ])('%s', (address) => {
    expect(closed.denial(address, 80)).toBeUndefined();
  });
});

describe('denied ranges', () => {
  test.each(deniedRanges)('$range is $reason', ({ range, reason }) => {
    // A narrower row may judge one of the ends.
    const kind = range.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
    const ends = [kind.networkAddressFromCIDR(range), kind.broadcastAddressFromCIDR(range)];
    const reasons = ends.map((address) => closed.denial(address.toString(), 443));
    expect(reasons).toContain(reason);
    expect(reasons).not.toContain(undefined);
  });

  test.each([
    ['10.255.255.255', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.255.255', 'private'],
    ['100.127.255.255', 'carrierGradeNat'],
    ['127.255.255.255', 'loopback'],
    ['198.19.255.255', 'benchmarking'],
    ['239.255.255.255', 'multicast'],
    ['fdff:ffff::1', 'uniqueLocal'],
    ['febf::1', 'linkLocal'],
    ['feff::1', 'siteLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['2001:1ff::1', 'protocolAssignments'],
    ['4000::1', 'reserved'],
    ['1000::1', 'reserved'],
    ['e000::1', 'reserved'],
    ['::8.8.8.8', 'ipv4Compatible'],
    ['::808:808', 'ipv4Compatible'],
    ['::0.0.0.1', 'loopback'],
    ['::ffff:0:8.8.8.8', 'ipv4Translated'],
    ['64:ff9b::8.8.8.8', 'nat64'],
    ['64:ff9b:1:2:3::1', 'nat64'],
    ['2002:808:808::1', '6to4'],
    ['2001:0:808:808::1', 'teredo'],
    ['2a00::5efe:8.8.8.8', 'isatap'],
    ['2a00::200:5efe:8.8.8.8', 'isatap'],
  ])('%s is %s', (address, reason) => {
    expect(closed.denial(address, 80)).toBe(reason);
  });

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.2.3.4.5',
    '[::1]',
    '::1::',
    '010.0.0.1',
    '8.8.8.8/32',
  ])('what is not an address is denied: %j', (text) => {
    expect(closed.denial(text, 80)).toBe('notAnAddress');
  });
});

describe('forms of one address agree', () => {
  const allow = fc.constantFrom([], ['10.0.0.0/8'], ['127.0.0.1'], ['169.254.169.254/32'], ['0.0.0.0/0']);

  test('mapped IPv6, dotted or not, is judged as its IPv4, whatever is open', () => {
    fc.assert(
      fc.property(
        fc.oneof(ipv4, fc.constantFrom('127.0.0.1', '10.1.2.3', '169.254.169.254')),
        allow,
        (ip, open) => {
          const [high, low] = hexPairs(ip);
          const verdict = judged(ip, open);
          expect(judged(`::ffff:${ip}`, open)).toBe(verdict);
          expect(judged(`0:0:0:0:0:FFFF:${high}:${low}`, open)).toBe(verdict);
        },
      ),
    );
  });

  test('an opened embedding never hides an IPv4 that is denied', () => {
    const opened = ['64:ff9b::/96', '2002::/16', '2001::/32', '2a00::/16', '::ffff:0:0:0/96'];
    fc.assert(
      fc.property(fc.oneof(ipv4, fc.constantFrom('127.0.0.1', '10.1.2.3', '169.254.169.254')), (ip) => {
        const [high, low] = hexPairs(ip);
        const turned = [high, low].map((part) => (Number.parseInt(part, 16) ^ 0xffff).toString(16)).join(':');
        const verdict = judged(ip);
        for (const form of [
          `64:ff9b::${ip}`,
          `::ffff:0:${ip}`,
          `2002:${high}:${low}::1`,
          `2a00::5efe:${ip}`,
          `2001:0:808:808::${turned}`,
          `2001:0:${high}:${low}::f7f7:f7f7`,
        ])
          expect([form, judged(form, opened)]).toEqual([form, verdict]);
      }),
    );
  });

  test('whoever writes an address differently means the same one', () => {
    expect(sameAddress('::ffff:10.0.0.1', '10.0.0.1')).toBe(true);
    expect(sameAddress('2001:DB8::1', '2001:db8:0::0:1')).toBe(true);
    expect(sameAddress('10.0.0.1', '10.0.0.2')).toBe(false);
    expect(sameAddress('10.0.0.1', '::a00:1')).toBe(false);
    expect(sameAddress('x', 'x')).toBe(false);
  });
});

describe('what a setting opens', () => {
  test('its range, and nothing beside it', () => {
    expect(judged('10.1.255.255', ['10.1.0.0/16'])).toBeUndefined();
    expect(judged('10.2.0.0', ['10.1.0.0/16'])).toBe('private');
    expect(judged('fd12::9', ['fd12::/32'])).toBeUndefined();
    expect(judged('fd13::9', ['fd12::/32'])).toBe('uniqueLocal');
    expect(judged('::1', ['::1'])).toBeUndefined();
    expect(judged('::1', ['127.0.0.0/8'])).toBe('loopback');
  });

  test.each(deniedRanges.filter(({ opens }) => opens === 'exact'))(
    'metadata address $range only by its own name',
    ({ range }) => {
      const address = range.replace(/\/\d+$/, '');
      const open = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '169.254.169.252/30', 'fd00::/8', '100.64.0.0/10'];
      expect(judged(address, open)).toBe('metadata');
      expect(judged(address, [...open, range])).toBeUndefined();
    },
  );

  test.each(['0.0.0.0', '0.1.2.3', '::', '224.0.0.1', 'ff02::1', '255.255.255.255'])(
    '%s never, not even by its name',
    (address) => {
      expect(judged(address, ['0.0.0.0/0', '::/0', address])).toBeDefined();
    },
  );

  test.each([
    ['10.0.0.0/33', 'not an address or CIDR'],
    ['10.0.0/8', 'not an address or CIDR'],
    ['localhost', 'not an address or CIDR'],
    ['fe80::1%lo/64', 'not an address or CIDR'],
    ['', 'not an address or CIDR'],
    ['10.1.2.3/8', 'bits set after its prefix'],
    ['fd12::1/64', 'bits set after its prefix'],
    ['::ffff:10.0.0.0/104', 'as IPv4'],
  ])('the setting %j is refused', (text, why) => {
    expect(() => parseAllowed(text)).toThrow(why);
  });
});

describe('our own listeners', () => {
  const guard = (address: string): ReturnType<typeof createAddressGuard> =>
    createAddressGuard({ allow: ['0.0.0.0/0', '::/0'], ownListeners: () => [{ address, port: 8080 }] });

  test('stay denied in ranges that are open, on their port only', () => {
    expect(guard('10.0.0.1').denial('10.0.0.1', 8080)).toBe('ownListener');
    expect(guard('10.0.0.1').denial('::ffff:10.0.0.1', 8080)).toBe('ownListener');
    expect(guard('10.0.0.1').denial('10.0.0.1', 8081)).toBeUndefined();
    expect(guard('10.0.0.1').denial('10.0.0.2', 8080)).toBeUndefined();
  });

  test('on all addresses means every address of the machine', () => {
    expect(guard('0.0.0.0').denial('127.0.0.53', 8080)).toBe('ownListener');
    expect(guard('0.0.0.0').denial('::1', 8080)).toBeUndefined();
    expect(guard('::').denial('127.0.0.1', 8080)).toBe('ownListener');
    expect(guard('::').denial('::1', 8080)).toBe('ownListener');
    expect(guard('::').denial('10.99.98.97', 8080)).toBeUndefined();
  });
});
