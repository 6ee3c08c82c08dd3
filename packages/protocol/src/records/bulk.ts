import { storageClasses } from '../storage-classes.ts';
import { flag, integer, listOf, oneOf, record, said, text, time } from './schema.ts';

export const bulkKinds = ['delete', 'class', 'restore', 'copy', 'move', 'zip'] as const;
export type BulkKind = (typeof bulkKinds)[number];

export const bulkStates = ['waiting', 'running', 'done', 'failed', 'stopped'] as const;

const what = {
  kind: oneOf(bulkKinds, 'what is done with each object; `zip` packs them into one'),
  bucket: text,
};
const how = {
  'class?': oneOf(
    storageClasses.map(({ number }) => number),
    'of `class`: the class they get',
  ),
  'days?': said(integer, 'of `restore`: days that they stay readable, 1 to 7'),
  'to?': said(
    record({ bucket: text, prefix: text }),
    'of `copy` and `move`: where to; what keys have after `prefix` follows on its prefix',
  ),
  'zip?': said(record({ bucket: text, key: text }), 'of `zip`: the archive'),
  'force?': said(flag, 'of `copy`, `move` and `zip`: replaces what is there'),
};

export const bulkRecords = {
  NewBulk: record({
    ...what,
    'prefix?': said(text, 'all objects whose keys begin with this; the empty text: all of the bucket'),
    'keys?': said(listOf(text), 'these, at most 10,000; they must begin with `prefix` if it is given, too'),
    ...how,
  }),
  Bulk: record({
    id: text,
    ...what,
    'prefix?': text,
    'keys?': said(listOf(text), 'the first 100 of those that were named'),
    ...how,
    state: oneOf(bulkStates, '`done`: all were looked at; `failed`: it was given up, `words` says why'),
    done: said(integer, 'objects with which it was done'),
    failed: said(integer, 'objects with which it was not'),
    bytes: said(integer, 'sizes of those done, together'),
    'of?': said(
      integer,
      'how many they are; absent if nobody knows, as with more than 100,000 under a prefix',
    ),
    'current?': said(text, 'the last key that was looked at'),
    created: time,
    'begun?': time,
    'ended?': time,
    'words?': said(text, 'why it was given up'),
    problems: said(
      listOf(record({ key: text, words: text })),
      'why it was not done with the first 100 of those that failed; in lists, the first 3',
    ),
    'accessKey?': said(text, 'the key with limits that submitted it'),
  }),
};
