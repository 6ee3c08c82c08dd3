import { MAX_OBJECTS_LISTED } from '../limits/limits.ts';
import { ref } from '../records/index.ts';
import { anything, flag, integer, listOf, record, text, withDescription } from '../records/schema.ts';
import { answers, bucketField, FORM, group, json, limit, marker, may, needed, pageOf } from './builders.ts';
import type { CallDescription } from './call.ts';

const object = group('Objects', 'rs', 'management or token');
const list = group('Lists', 'rsf', 'management or token');
const trash = group('Trash', 'api', 'management or token');
const fetch = group('Files from other servers', 'io', 'management or token');
const job = group('Files from other servers', 'api', 'management or token');

const missing = { 612: 'there is no such object' };
const frozen = { ...missing, 403: 'its class or state does not allow it' };
const taken = { ...missing, 614: 'the destination exists; `/force/true` replaces it' };
const listQuery = [
  bucketField,
  may('prefix', 'only keys that begin with this'),
  may('delimiter', 'groups keys up to its next occurrence'),
  marker,
];

export const objectCalls: readonly CallDescription[] = [
  object('stat', 'GET|POST /stat/{EncodedEntryURI}', 'The record of an object', {
    answer: answers(ref('Object')),
    faults: missing,
  }),
  object(
    'changeMetadata',
    'POST /chgm/{EncodedEntryURI}/mime/{EncodedMimeType}',
    'Changes the media type, custom metadata and response headers. Optional: `/x-svc-meta-<name>/<EncodedValue>`, `/x-svc-meta-!<header>/<EncodedValue>` and `/cond/<EncodedCondition>`',
    {
      faults: { ...missing, 613: 'the condition does not hold' },
    },
  ),
  object(
    'restore',
    'POST /restoreAr/{EncodedEntryURI}/freezeAfterDays/{freezeAfterDays}',
    'Makes an archived object readable for a few days',
    { faults: frozen },
  ),
  object('changeType', 'POST /chtype/{EncodedEntryURI}/type/{type}', 'Changes the storage class', {
    faults: frozen,
  }),
  object(
    'changeStatus',
    'POST /chstatus/{EncodedEntryURI}/status/{status}',
    'Disables or enables an object',
    { faults: missing },
  ),
  object(
    'copy',
    'POST /copy/{EncodedEntryURISrc}/{EncodedEntryURIDest}',
    'Copies an object. Optional: `/force/true`',
    { faults: taken },
  ),
  object(
    'move',
    'POST /move/{EncodedEntryURISrc}/{EncodedEntryURIDest}',
    'Moves or renames an object. Optional: `/force/true`',
    { faults: taken },
  ),
  object('remove', 'POST /delete/{EncodedEntryURI}', 'Deletes an object', { faults: missing }),
  object(
    'removeAfterDays',
    'POST /deleteAfterDays/{EncodedEntryURI}/{deleteAfterDays}',
    'Deletes an object automatically after some days',
    { faults: missing },
  ),
  object(
    'setLifecycle',
    'POST /lifecycle/{EncodedEntryURI}/deleteAfterDays/{deleteAfterDays}',
    'Days until an object moves to colder classes and is deleted. Optional: `/toIAAfterDays/<days>`, `/toArchiveAfterDays/<days>`, `/toDeepArchiveAfterDays/<days>`',
    { faults: missing },
  ),
  object('batch', 'POST /batch', 'Up to 1,000 operations in one call', {
    body: { type: FORM, fields: [needed('op', 'the path of an operation; once for each', listOf(text))] },
    answer: answers(listOf(record({ code: integer, 'data?': anything })), 'in the order of the operations'),
    faults: { 298: 'some of the operations failed' },
  }),
  list('list', 'GET|POST /list', 'A page of objects in byte order of their keys', {
    query: [...listQuery, limit(MAX_OBJECTS_LISTED)],
    answer: answers(
      record({ items: listOf(ref('ListedObject')), 'commonPrefixes?': listOf(text), 'marker?': text }),
    ),
  }),
  list('listStream', 'GET|POST /v2/list', 'All objects as a stream of lines', {
    query: [...listQuery, may('limit', 'maximum number of lines; default: all', integer)],
    answer: {
      type: 'application/x-ndjson',
      about: 'one object per line: `{"item":…,"dir":…,"marker":…}`',
      schema: text,
    },
  }),
  trash(
    'trash',
    'GET /v1/trash/{bucket}',
    'What was deleted or replaced in a bucket and can be brought back: by key, the latest first',
    {
      query: [may('prefix', 'only keys that begin with this'), marker, limit(MAX_OBJECTS_LISTED)],
      answer: pageOf('Trashed'),
    },
  ),
  trash(
    'undelete',
    'POST /v1/trash/{bucket}/undelete',
    'Brings back objects from the trash, up to 1,000 in one call. Replaces nothing: each has its own outcome',
    {
      body: json(
        record({
          ids: withDescription(listOf(text), 'from the list of the trash'),
          'as?': withDescription(text, 'the key that it gets; only with one id'),
        }),
      ),
      answer: answers(record({ items: listOf(ref('Undeleted')) }), 'in the order of the ids'),
    },
  ),
  fetch(
    'fetch',
    'POST /fetch/{EncodedURL}/to/{EncodedEntryURI}',
    'Stores the file at a URL. Optional: `/host/<EncodedHost>`',
    {
      answer: answers(ref('Fetched')),
      faults: { 404: 'there is nothing at the URL', 478: 'the other server failed or took too long' },
    },
  ),
  fetch(
    'prefetch',
    'POST /prefetch/{EncodedEntryURI}',
    'Fetches a key from the mirror source of its bucket',
    {
      faults: { 478: 'the source failed or took too long' },
    },
  ),
  job('asyncFetch', 'POST /sisyphus/fetch', 'Stores the file at a URL in the background', {
    body: json(
      record({
        url: text,
        bucket: text,
        'key?': text,
        'host?': text,
        'md5?': text,
        'etag?': text,
        'callbackurl?': text,
        'callbackbody?': text,
        'callbackbodytype?': text,
        'file_type?': integer,
        'ignore_same_key?': flag,
      }),
    ),
    answer: answers(ref('AsyncFetch')),
  }),
  job('asyncFetchState', 'GET /sisyphus/fetch', 'The state of a background fetch', {
    query: [needed('id', 'from the answer to the call that began it')],
    answer: answers(ref('AsyncFetch')),
    faults: missing,
  }),
];
