import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import type { LifecycleScope, S3LifecycleRule } from './lifecycle.ts';
import { dueLifecycleAction, type LifecycleObject, s3Expiry } from './lifecycle-due.ts';
import { readLifecycle } from './lifecycle-read.ts';
import { writeLifecycle } from './lifecycle-write.ts';

const DAY = 86_400_000;
const newId = () => 'made-up';
const read = (rules: string) =>
  readLifecycle(encodeUtf8(`<LifecycleConfiguration>${rules}</LifecycleConfiguration>`), undefined, newId)
    .rules;
const rule = (inside: string) =>
  `<Rule><ID>r</ID><Filter><Prefix>a</Prefix></Filter><Status>Enabled</Status>${inside}</Rule>`;
const days = (count: number) => `<Expiration><Days>${count}</Days></Expiration>`;

function refusal(rules: string): string {
  try {
    read(rules);
    return 'accepted';
  } catch (error) {
    if (error instanceof S3Fault) return `${error.status} ${error.code}`;
    throw error;
  }
}

/** Characters that XML can carry as they are, and some that must be escaped. */
const text = fc.string({
  unit: fc.constantFrom(...Array.from('abc/-_&<>"\'é水 \t\r\n')),
  minLength: 1,
  maxLength: 20,
});
const tags = fc.uniqueArray(fc.record({ key: text, value: text }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ key }) => key,
});
const scope: fc.Arbitrary<LifecycleScope> = fc.oneof(
  fc.record({ in: fc.constant('Rule' as const), prefix: text }),
  fc.record(
    {
      in: fc.constantFrom('Filter' as const, 'And' as const),
      prefix: text,
      tags,
      sizeGreaterThan: fc.nat(1000),
      sizeLessThan: fc.integer({ min: 2000, max: 5000 }),
    },
    { requiredKeys: ['in'] },
  ),
);
const midnight = fc.nat(20_000).map((day) => new Date(day * DAY).toISOString());
const lifecycleRule: fc.Arbitrary<S3LifecycleRule> = fc
  .record(
    {
      isEnabled: fc.boolean(),
      scope,
      expiration: fc.oneof(
        fc.record({ days: fc.integer({ min: 1, max: 36_500 }) }),
        fc.record({ date: midnight }),
      ),
      noncurrentExpiration: fc.record({
        days: fc.integer({ min: 1, max: 9 }),
        newerVersions: fc.integer({ min: 1, max: 9 }),
      }),
      noncurrentTransitions: fc.constant([{ days: 3, storageClass: 'GLACIER' }]),
    },
    { requiredKeys: ['isEnabled', 'scope', 'expiration'] },
  )
  .map((one) => ({ id: '', ...one }));

describe('lifecycle configurations of S3', () => {
  test('what was written is read again, whatever form it had [S82]', () => {
    fc.assert(
      fc.property(fc.array(lifecycleRule, { minLength: 1, maxLength: 5 }), (given) => {
        const rules = given.map((one, index) => ({ ...one, id: `rule ${index}` }));
        const again = readLifecycle(encodeUtf8(writeLifecycle(rules)), 'varies_by_storage_class', newId);
        expect(again).toEqual({ minimumSize: 'varies_by_storage_class', rules });
      }),
    );
  });

  test('transitions, aborted uploads and delete markers too', () => {
    const rules: S3LifecycleRule[] = [
      {
        id: 'classes',
        isEnabled: true,
        scope: { in: 'Filter' },
        transitions: [
          { days: 0, storageClass: 'ONEZONE_IA' },
          { days: 60, storageClass: 'GLACIER' },
        ],
        expiration: { days: 90 },
        abortUploadsAfterDays: 3,
      },
      { id: 'markers', isEnabled: false, scope: { in: 'Rule', prefix: '' }, expiredObjectDeleteMarker: true },
    ];
    expect(readLifecycle(encodeUtf8(writeLifecycle(rules)), undefined, newId).rules).toEqual(rules);
  });

  test('a rule without an ID gets one', () => {
    const [first] = read(`<Rule><Prefix>a/</Prefix><Status>Enabled</Status>${days(1)}</Rule>`);
    expect(first).toMatchObject({ id: 'made-up', scope: { in: 'Rule', prefix: 'a/' } });
  });

  test.each([
    ['no rules', '', '400 MalformedXML'],
    ['neither filter nor prefix', `<Rule><Status>Enabled</Status>${days(1)}</Rule>`, '400 MalformedXML'],
    ['both', rule(`<Prefix>b</Prefix>${days(1)}`), '400 MalformedXML'],
    ['a status in lower case', rule(days(1)).replace('Enabled', 'enabled'), '400 MalformedXML'],
    ['an ID too long', rule(days(1)).replace('>r<', `>${'r'.repeat(256)}<`), '400 InvalidArgument'],
    ['an ID twice', rule(days(1)) + rule(days(2)), '400 InvalidArgument'],
    ['0 days', rule(days(0)), '400 InvalidArgument'],
    ['-1 days', rule(days(-1)), '400 InvalidArgument'],
    [
      'a date within a day',
      rule('<Expiration><Date>2026-11-16T10:00:00Z</Date></Expiration>'),
      '400 InvalidArgument',
    ],
    ['no date', rule('<Expiration><Date>20200101</Date></Expiration>'), '400 InvalidArgument'],
    [
      'days and a date',
      rule('<Expiration><Days>1</Days><Date>2026-11-16T00:00:00Z</Date></Expiration>'),
      '400 MalformedXML',
    ],
    ['no action', rule(''), '400 InvalidRequest'],
    [
      'a class we lack',
      rule('<Transition><Days>1</Days><StorageClass>GLACIER_IR</StorageClass></Transition>'),
      '400 InvalidStorageClass',
    ],
    [
      'a removal before a transition',
      rule(`<Transition><Days>9</Days><StorageClass>GLACIER</StorageClass></Transition>${days(9)}`),
      '400 InvalidArgument',
    ],
    ['an action nobody knows', rule('<AllVersionsExpiration/>'), '501 NotImplemented'],
    [
      'aborting uploads by tag',
      `<Rule><Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter><Status>Enabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>`,
      '400 InvalidRequest',
    ],
    ['more than 100 rules', Array.from({ length: 101 }, () => rule(days(1))).join(''), '400 InvalidRequest'],
    ['a long prefix', rule(days(1)).replace('>a<', `>${'é'.repeat(376)}<`), '400 InvalidArgument'],
  ])('%s is refused [S83]', (_, rules, answer) => {
    expect(refusal(rules)).toBe(answer);
  });

  test('a minimum size is one of two', () => {
    const body = encodeUtf8(`<LifecycleConfiguration>${rule(days(1))}</LifecycleConfiguration>`);
    expect(readLifecycle(body, undefined, newId).minimumSize).toBe('all_storage_classes_128K');
    expect(() => readLifecycle(body, 'none', newId)).toThrow(S3Fault);
  });
});

describe('what rules do to an object', () => {
  const madeAt = Date.parse('2026-11-16T10:00:00Z');
  const object = (changes: Partial<LifecycleObject> = {}): LifecycleObject => ({
    key: 'logs/a',
    size: 1_000_000,
    tags: {},
    madeAt,
    ...changes,
  });
  const removing = (id: string, count: number, scope: Omit<LifecycleScope, 'in'> = {}): S3LifecycleRule => ({
    id,
    isEnabled: true,
    scope: { in: 'Filter', ...scope },
    expiration: { days: count },
  });
  const cooling = (
    count: number,
    storageClass: string,
    scope: Omit<LifecycleScope, 'in'> = {},
  ): S3LifecycleRule => ({
    id: storageClass,
    isEnabled: true,
    scope: { in: 'Filter', ...scope },
    transitions: [{ days: count, storageClass }],
  });

  test('of all rules that match, the earliest removal counts', () => {
    const rules = [
      removing('long', 9, { prefix: 'logs/' }),
      removing('short', 2),
      removing('other', 1, { prefix: 'x' }),
    ];
    expect(s3Expiry(rules, object())).toEqual({ at: new Date('2026-11-19T00:00:00Z'), ruleId: 'short' });
  });

  test('a disabled rule does nothing', () => {
    expect(s3Expiry([{ ...removing('off', 1), isEnabled: false }], object())).toBeUndefined();
  });

  test('size and tags must fit', () => {
    const wanted = [{ key: 'k', value: 'v' }];
    const rules = [removing('r', 1, { tags: wanted, sizeGreaterThan: 10, sizeLessThan: 20 })];
    const fits = (changes: Partial<LifecycleObject>) => s3Expiry(rules, object(changes)) !== undefined;
    expect(fits({ size: 11, tags: { k: 'v', x: 'y' } })).toBe(true);
    expect(fits({ size: 10, tags: { k: 'v' } })).toBe(false);
    expect(fits({ size: 20, tags: { k: 'v' } })).toBe(false);
    expect(fits({ size: 11, tags: { k: 'w' } })).toBe(false);
  });

  test('it is due at the midnight after its days, and not before', () => {
    const lifecycle = { minimumSize: 'all_storage_classes_128K', rules: [removing('r', 1)] } as const;
    const at = (time: string) =>
      dueLifecycleAction(lifecycle, { ...object(), storageClass: 0 }, Date.parse(time));
    expect(at('2026-11-17T23:59:59.999Z')).toBeUndefined();
    expect(at('2026-11-18T00:00:00Z')).toBe('delete');
  });

  test('of the classes that are due, the coldest; never a warmer one', () => {
    const lifecycle = {
      minimumSize: 'all_storage_classes_128K',
      rules: [cooling(1, 'GLACIER'), cooling(0, 'STANDARD_IA'), cooling(50, 'DEEP_ARCHIVE')],
    } as const;
    const later = madeAt + 10 * DAY;
    expect(dueLifecycleAction(lifecycle, { ...object(), storageClass: 0 }, later)).toBe(2);
    expect(dueLifecycleAction(lifecycle, { ...object(), storageClass: 2 }, later)).toBeUndefined();
  });

  test('small objects keep their class, unless the rule says a size or archives take them', () => {
    const later = madeAt + 10 * DAY;
    const small = { ...object({ size: 5 }), storageClass: 0 };
    const toArchive = [cooling(1, 'GLACIER')];
    expect(
      dueLifecycleAction({ minimumSize: 'all_storage_classes_128K', rules: toArchive }, small, later),
    ).toBeUndefined();
    expect(
      dueLifecycleAction({ minimumSize: 'varies_by_storage_class', rules: toArchive }, small, later),
    ).toBe(2);
    const toInfrequent = [cooling(1, 'STANDARD_IA')];
    expect(
      dueLifecycleAction({ minimumSize: 'varies_by_storage_class', rules: toInfrequent }, small, later),
    ).toBeUndefined();
    const bySize = [cooling(1, 'STANDARD_IA', { sizeGreaterThan: 1 })];
    expect(dueLifecycleAction({ minimumSize: 'all_storage_classes_128K', rules: bySize }, small, later)).toBe(
      1,
    );
  });
});
