import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { creationCauses, selectableEvents } from '../../object-events.ts';
import { encodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import {
  isNotification,
  type NotificationRule,
  readNotification,
  writeNotification,
} from './notification.ts';

const read = (inside: string) =>
  readNotification(
    encodeUtf8(`<NotificationConfiguration>${inside}</NotificationConfiguration>`),
    () => 'made-up',
  );
const topic = (events: string, more = '', url = 'https://app.example/hook?a=1&amp;b=2') =>
  `<TopicConfiguration><Id>x</Id><Topic>${url}</Topic>${events}${more}</TopicConfiguration>`;
const event = (name: string) => `<Event>s3:${name}</Event>`;
const filter = (...rules: [string, string][]) =>
  `<Filter><S3Key>${rules.map(([name, value]) => `<FilterRule><Name>${name}</Name><Value>${value}</Value></FilterRule>`).join('')}</S3Key></Filter>`;
const NAMES = [
  'ObjectCreated:*',
  'ObjectCreated:Put',
  'ObjectCreated:Post',
  'ObjectCreated:Copy',
  'ObjectCreated:CompleteMultipartUpload',
  'ObjectRemoved:*',
  'ObjectRemoved:Delete',
  'ObjectRestore:*',
  'LifecycleExpiration:*',
  'LifecycleExpiration:Delete',
  'LifecycleTransition',
];

describe('notifications', () => {
  test('what was written is read again', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('abc/&<é. ')), maxLength: 9 });
    const rule = fc.record(
      {
        name: text.map((id) => `n${id}`.trim()),
        url: fc.constant('https://app.example/?a&b'),
        events: fc
          .subarray(NAMES, { minLength: 1 })
          .map((names) => names.flatMap((name) => read(topic(event(name)))[0]?.events ?? [])),
        prefix: text,
        suffix: text,
      },
      { requiredKeys: ['name', 'url', 'events'] },
    );
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), (rules) => {
        const again = readNotification(encodeUtf8(writeNotification(rules)), () => 'made-up');
        expect(again.map(sorted)).toEqual(rules.map(sorted));
      }),
    );
  });

  const sorted = ({ events, ...rule }: NotificationRule) => ({ ...rule, events: events.toSorted() });

  test('events are those of the interface, and every way of coming is one of four', () => {
    const all = NAMES.flatMap((name) => read(topic(event(name)))[0]?.events ?? []);
    expect(all.filter((name) => !selectableEvents.includes(name))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
    const ways = Object.keys(creationCauses).map((way) => `created.${way}`);
    expect(ways.filter((way) => !all.includes(way))).toEqual([]);
  });

  test('filters, and a name where there is none', () => {
    expect(
      read(
        topic(event('ObjectRemoved:*'), filter(['Prefix', 'a/'], ['suffix', '.jpg'])).replace(
          '<Id>x</Id>',
          '',
        ),
      ),
    ).toEqual([
      {
        name: 'made-up',
        url: 'https://app.example/hook?a=1&b=2',
        events: ['deleted'],
        prefix: 'a/',
        suffix: '.jpg',
      },
    ]);
    expect(read('')).toEqual([]);
  });

  test('rules that S3 has no words for are left out', () => {
    const rule = { name: 'a', url: 'https://a.example', events: ['created', 'overwritten'] };
    expect(isNotification(rule)).toBe(true);
    const unsaid = [
      { ...rule, minSize: 1 },
      { ...rule, events: ['created'] },
      { ...rule, events: ['created', 'overwritten', 'classChanged'] },
    ];
    expect(unsaid.map(isNotification)).toEqual([false, false, false]);
    expect(writeNotification(unsaid)).toMatch(
      /<NotificationConfiguration xmlns="[^"]+"><\/NotificationConfiguration>$/,
    );
  });

  test.each([
    ['another kind of target', '<QueueConfiguration/>', '501 NotImplemented'],
    ['a bus', '<EventBridgeConfiguration/>', '501 NotImplemented'],
    ['an ARN', topic(event('ObjectCreated:*'), '', 'arn:aws:sns:us-east-1:1:t'), '400 InvalidArgument'],
    ['an event that never happens', topic(event('Replication:*')), '400 InvalidArgument'],
    ['no event', topic(''), '400 MalformedXML'],
    [
      'no target',
      '<TopicConfiguration><Event>s3:ObjectCreated:*</Event></TopicConfiguration>',
      '400 MalformedXML',
    ],
    ['another filter', topic(event('ObjectCreated:*'), filter(['size', '1'])), '400 InvalidArgument'],
    [
      'a filter twice',
      topic(event('ObjectCreated:*'), filter(['prefix', '1'], ['prefix', '2'])),
      '400 InvalidArgument',
    ],
    [
      'a filter longer than a key',
      topic(event('ObjectCreated:*'), filter(['prefix', 'a'.repeat(751)])),
      '400 InvalidArgument',
    ],
    ['101 of them', topic(event('ObjectCreated:*')).repeat(101), '400 InvalidArgument'],
  ])('%s: refused', (_, inside, answer) => {
    let refusal: unknown;
    try {
      read(inside);
    } catch (error) {
      refusal = error instanceof S3Fault ? `${error.status} ${error.code}` : error;
    }
    expect(refusal).toBe(answer);
  });
});
