import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccessContext,
  accessDenial,
  type KeyLimits,
  keyActions,
  permissionsToOverwrite,
  type RequiredPermission,
  showsBucket,
} from './key-limits.ts';

const use: AccessContext = { address: '192.0.2.7', now: 1_800_000_000_000 };
const judged = (limits: KeyLimits, asked: RequiredPermission, at: AccessContext = use) =>
  accessDenial(limits, asked, at);

describe('each limit is named when it forbids', () => {
  test('the end: its second is the first without the key', () => {
    const asked = { action: 'read', bucket: 'b', key: 'k' } as const;
    expect(judged({ expiresAt: 1_800_000_001 }, asked)).toBeUndefined();
    expect(judged({ expiresAt: 1_800_000_000 }, asked)).toMatch(
      /^limit expiresAt: .* 2027-01-15T08:00:00\.000Z$/,
    );
  });

  test('networks', () => {
    const asked = { action: 'list', some: true } as const;
    expect(judged({ networks: ['192.0.2.0/24'] }, asked)).toBeUndefined();
    expect(judged({ networks: ['10.0.0.0/8', '::/0'] }, asked)).toMatch(/^limit networks: .*192\.0\.2\.7/);
    expect(judged({ networks: ['0.0.0.0/0'] }, asked, { ...use, address: 'unknown' })).toMatch(
      /^limit networks/,
    );
  });

  test('actions', () => {
    expect(judged({ actions: ['read', 'list'] }, { action: 'delete', bucket: 'b', key: 'k' })).toBe(
      'limit actions: the key may not delete',
    );
  });

  test('buckets: a call on the whole account concerns more than them', () => {
    const limits = { buckets: ['photos'] };
    expect(judged(limits, { action: 'administer', bucket: 'photos' })).toBeUndefined();
    expect(judged(limits, { action: 'administer', bucket: 'photo' })).toMatch(/^limit buckets/);
    expect(judged(limits, { action: 'administer' })).toMatch(/^limit buckets/);
    expect(judged(limits, { action: 'list', some: true })).toBeUndefined();
    expect([showsBucket(limits, 'photos'), showsBucket(limits, 'other'), showsBucket({}, 'other')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('prefixes: of keys, and of lists that stay under one', () => {
    const limits = { prefixes: ['a/'] };
    const asked = { action: 'list', bucket: 'b' } as const;
    expect(judged(limits, { ...asked, prefix: 'a/' })).toBeUndefined();
    expect(judged(limits, { ...asked, prefix: 'a/b' })).toBeUndefined();
    for (const prefix of ['', 'a', 'b/', 'A/'])
      expect(judged(limits, { ...asked, prefix })).toMatch(/^limit prefixes/);
    expect(judged(limits, asked)).toMatch(/^limit prefixes/);
    expect(judged(limits, { ...asked, some: true })).toBeUndefined();
    expect(judged(limits, { action: 'read', bucket: 'b', key: 'a/' })).toBeUndefined();
    expect(judged(limits, { action: 'read', bucket: 'b', key: 'a' })).toMatch(/^limit prefixes/);
    expect(judged(limits, { action: 'administer', bucket: 'b' })).toMatch(/^limit prefixes/);
  });

  test('replacing an object takes what writing and deleting take', () => {
    const refusals = (limits: KeyLimits) =>
      permissionsToOverwrite('b', 'k').map((asked) => judged(limits, asked));
    expect(refusals({ actions: ['write', 'delete'] })).toEqual([undefined, undefined]);
    expect(refusals({ actions: ['write'] })).toEqual([undefined, 'limit actions: the key may not delete']);
  });
});

/** Few words, so that limits and requests often meet. */
const bucket = fc.constantFrom('aaa', 'bbb', 'ccc');
const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '猫'), maxLength: 4 });
const address = fc.constantFrom('10.0.0.1', '10.1.0.1', '::ffff:10.0.0.1', '2001:db8::1', 'unknown');
const networks = fc.constantFrom('10.0.0.0/16', '10.0.0.0/8', '2001:db8::/32', '192.0.2.0/24', '10.1.0.1');
const some = { minLength: 1, maxLength: 3 };

const limitsArbitrary: fc.Arbitrary<KeyLimits> = fc.record(
  {
    buckets: fc.array(bucket, some),
    prefixes: fc.array(
      text.filter((prefix) => prefix !== ''),
      some,
    ),
    actions: fc.array(fc.constantFrom(...keyActions), some),
    networks: fc.array(networks, some),
    expiresAt: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);
const askedArbitrary: fc.Arbitrary<RequiredPermission> = fc.oneof(
  fc.record({ action: fc.constantFrom(...keyActions), bucket, key: text }),
  fc.record({ action: fc.constantFrom(...keyActions), bucket, prefix: text }),
  fc.record(
    { action: fc.constantFrom(...keyActions), bucket, some: fc.constant(true as const) },
    { requiredKeys: ['action'] },
  ),
);

/** What a limited key may touch, written out as sets instead of rules. */
function permits(limits: KeyLimits, asked: RequiredPermission, at: AccessContext): boolean {
  const block = new BlockList();
  for (const network of limits.networks ?? []) {
    const [net = '', bits = net.includes(':') ? '128' : '32'] = network.split('/');
    block.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  const plain = at.address.replace('::ffff:', '');
  const isFrom = /[.:]/.test(plain) && block.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
  const bytes = (word: string) => Buffer.from(word).toString('hex');
  const named = asked.key ?? asked.prefix;
  const open = (value: unknown) => value === undefined && asked.some === true;
  return (
    (limits.networks === undefined || isFrom) &&
    at.now / 1000 < (limits.expiresAt ?? Number.POSITIVE_INFINITY) &&
    new Set<string>(limits.actions ?? keyActions).has(asked.action) &&
    (limits.buckets === undefined ||
      open(asked.bucket) ||
      limits.buckets.some((name) => name === asked.bucket)) &&
    (limits.prefixes === undefined ||
      open(named) ||
      limits.prefixes.some((prefix) => named !== undefined && bytes(named).indexOf(bytes(prefix)) === 0))
  );
}

test('the judge agrees with the reference on random limits and requests', () => {
  let refused = 0;
  fc.assert(
    fc.property(limitsArbitrary, askedArbitrary, address, fc.integer({ min: 0, max: 4000 }), (...given) => {
      const [limits, asked, from, now] = given;
      const refusal = accessDenial(limits, asked, { address: from, now });
      expect(refusal === undefined).toBe(permits(limits, asked, { address: from, now }));
      if (refusal === undefined) return;
      refused++;
      // The limit that is named exists, and forbids it alone as well.
      const name = /^limit (\w+): /.exec(refusal)?.[1] as keyof KeyLimits;
      expect(limits[name]).toBeDefined();
      expect(accessDenial({ [name]: limits[name] }, asked, { address: from, now })).toBe(refusal);
    }),
    { numRuns: 5000 },
  );
  expect(refused).toBeGreaterThan(500);
});

test('a limit more never permits more', () => {
  fc.assert(
    fc.property(limitsArbitrary, limitsArbitrary, askedArbitrary, address, (limits, more, asked, from) => {
      const both = { ...more, ...limits };
      const at = { address: from, now: 0 };
      if (accessDenial(both, asked, at) === undefined)
        expect(accessDenial(limits, asked, at)).toBeUndefined();
    }),
    { numRuns: 5000 },
  );
});
