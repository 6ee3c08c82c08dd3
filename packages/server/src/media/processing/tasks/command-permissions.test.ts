import { accessDenial, encodeBase64Text, formatEntry, type KeyLimits, parseFops } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { commandPermissions } from './command-permissions.ts';

const use = { address: '192.0.2.7', now: 0 };
const saveas = (bucket: string, key?: string) => `|saveas/${formatEntry(bucket, key)}`;
const url = encodeBase64Text('http://pond.example/other');

/** Which limit refuses the commands on an object of the bucket `in`. */
function refusal(limits: KeyLimits, fops: string): string | undefined {
  return commandPermissions(parseFops(fops), 'in')
    .map((asked) => accessDenial(limits, asked, use))
    .find((text) => text !== undefined)
    ?.split(':')[0];
}

const bucket = { buckets: ['in'] };
const prefix = { prefixes: ['a/'] };

test.each([
  // Where results go.
  [bucket, 'avinfo', undefined],
  [bucket, `avinfo${saveas('in', 'k')}`, undefined],
  [bucket, `avinfo${saveas('out', 'k')}`, 'limit buckets'],
  [bucket, `avinfo${saveas('in', 'k')};avinfo${saveas('out', 'k')}`, 'limit buckets'],
  [prefix, `avinfo${saveas('in', 'a/k')}`, undefined],
  [prefix, `avinfo${saveas('in', 'b/k')}`, 'limit prefixes'],
  // A key that is made from the hash, or by a pattern, may be anything.
  [prefix, 'avinfo', 'limit prefixes'],
  [prefix, `avinfo${saveas('in')}`, 'limit prefixes'],
  [prefix, `avinfo${saveas('in', 'a/k')}/saveKey/${encodeBase64Text('$(etag)')}`, 'limit prefixes'],
  [prefix, `avinfo${saveas('in', 'a/k')}/savePattern/${encodeBase64Text('a/$(etag)')}`, 'limit prefixes'],
  // Segments lie under their playlist, unless they have a pattern of their own.
  [prefix, `avthumb/m3u8${saveas('in', 'a/k')}`, undefined],
  [
    prefix,
    `avthumb/m3u8/pattern/${encodeBase64Text('b/$(count).ts')}${saveas('in', 'a/k')}`,
    'limit prefixes',
  ],
  // Results replace what is there.
  [{ actions: ['write'] }, 'avinfo', 'limit actions'],
  [{ actions: ['write', 'delete'] }, 'avinfo', undefined],
  // What else they read could be any object of the account.
  [bucket, `avconcat/2/format/mp4/${url}/${url}`, 'limit buckets'],
  [bucket, `avthumb/mp4/wmImage/${url}`, 'limit buckets'],
  [bucket, 'mkzip/4', 'limit buckets'],
  [prefix, `mkzip/2/url/${url}${saveas('in', 'a/k')}`, 'limit prefixes'],
  [{ actions: ['write', 'delete'] }, 'mkzip/4', 'limit actions'],
  [{ actions: ['read', 'write', 'delete'] }, 'mkzip/4', undefined],
] satisfies [KeyLimits, string, string | undefined][])('%j, %s: %s', (limits, fops, expected) => {
  expect(refusal(limits, fops)).toBe(expected);
});
