import { storageClasses } from '../storage-classes.ts';
import { flag, integer, listOf, oneOf, record, text, time, withDescription } from './schema.ts';

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
  'days?': withDescription(integer, 'of `restore`: days that they stay readable, 1 to 7'),
  'to?': withDescription(
    record({ bucket: text, prefix: text }),
    'of `copy` and `move`: where to; what keys have after `prefix` follows on its prefix',
  ),
  'zip?': withDescription(record({ bucket: text, key: text }), 'of `zip`: the archive'),
  'force?': withDescription(flag, 'of `copy`, `move` and `zip`: replaces what is there'),
};

export const bulkRecords = {
  NewBulk: record({
    ...what,
    'prefix?': withDescription(
      text,
      'all objects whose keys begin with this; the empty text: all of the bucket',
    ),
    'keys?': withDescription(
      listOf(text),
      'these, at most 10,000; they must begin with `prefix` if it is given, too',
    ),
    ...how,
  }),
  Bulk: record({
    id: text,
    ...what,
    'prefix?': text,
    'keys?': withDescription(listOf(text), 'the first 100 of those that were named'),
    ...how,
    state: oneOf(bulkStates, '`done`: all were looked at; `failed`: it was given up, `words` says why'),
    done: withDescription(integer, 'objects with which it was done'),
    failed: withDescription(integer, 'objects with which it was not'),
    bytes: withDescription(integer, 'sizes of those done, together'),
    'of?': withDescription(
      integer,
      'how many they are; absent if nobody knows, as with more than 100,000 under a prefix',
    ),
    'current?': withDescription(text, 'the last key that was looked at'),
    created: time,
    'begun?': time,
    'ended?': time,
    'words?': withDescription(text, 'why it was given up'),
    problems: withDescription(
      listOf(record({ key: text, words: text })),
      'why it was not done with the first 100 of those that failed; in lists, the first 3',
    ),
    'accessKey?': withDescription(text, 'the key with limits that submitted it'),
  }),
};
