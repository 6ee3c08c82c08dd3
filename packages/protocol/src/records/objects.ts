import type { JsonNumber } from '../json-number.ts';
import { STORAGE_CLASS_TEXT, storageClasses } from '../storage-classes.ts';
import {
  integer,
  listOf,
  mapOf,
  oneOf,
  record,
  type Schema,
  said,
  text,
  time,
  unixSeconds,
} from './schema.ts';
import { waitingRecords } from './waiting.ts';

const storageClass = oneOf(
  storageClasses.map(({ number }) => number),
  `storage class: ${STORAGE_CLASS_TEXT}`,
);
/** More digits than a number of JavaScript holds. */
const putTime: Schema<JsonNumber> = { type: 'integer', description: 'time of the upload in units of 100 ns' };

const object = {
  fsize: said(integer, 'bytes'),
  hash: said(text, 'etag of the content'),
  mimeType: text,
  type: storageClass,
  putTime,
  'status?': said(integer, '1: disabled; absent: enabled'),
  'restoreStatus?': said(integer, '1: being restored; 2: restored; absent while frozen'),
  'restoreReady?': said(unixSeconds, 'unix seconds: when a restore makes it readable'),
  'restoreEnds?': said(unixSeconds, 'unix seconds: when it freezes again'),
  'waitingFor?': said(waitingRecords.WaitingFor, 'while it is being restored'),
  'endUser?': text,
  'expiration?': said(unixSeconds, 'unix seconds: when it is deleted automatically'),
  'transitionToIA?': unixSeconds,
  'transitionToARCHIVE?': unixSeconds,
  'transitionToDeepArchive?': unixSeconds,
  'x-svc-meta?': said(mapOf(text), 'custom metadata'),
  'responseHeaders?': said(mapOf(text), 'headers that the owner set for downloads, such as `Cache-Control`'),
};

export const objectRecords = {
  Object: record(object),
  ListedObject: record({ key: text, ...object }),
  Trashed: record({
    id: said(text, 'of this version in the trash'),
    key: text,
    hash: said(text, 'etag of the content'),
    fsize: said(integer, 'bytes'),
    mimeType: text,
    type: storageClass,
    putTime,
    reason: oneOf(['deleted', 'replaced']),
    deleted: said(time, 'when it was deleted or replaced'),
    until: said(time, 'when it is gone for good'),
  }),
  Undeleted: record({
    id: text,
    'key?': said(text, 'the key that it has, or would have had'),
    'error?': said(text, 'why it did not come back'),
  }),
  Fetched: record({ hash: text, key: text, fsize: integer, mimeType: text }),
  AsyncFetch: record({
    id: text,
    wait: oneOf([0, -1], '0: not tried yet; -1: tried'),
    state: oneOf(['waiting', 'done', 'failed']),
    'waitingFor?': said(waitingRecords.WaitingFor, 'while it waits'),
    'error?': said(text, 'why it failed'),
    'hash?': text,
    'key?': text,
    'fsize?': integer,
    'mimeType?': text,
  }),
  NewUpload: record({ uploadId: text, expireAt: unixSeconds }),
  NewPart: record({ etag: text, md5: text }),
  Parts: record({
    uploadId: text,
    expireAt: unixSeconds,
    partNumberMarker: said(integer, 'where the next page begins; 0: this was the last'),
    parts: listOf(record({ size: integer, etag: text, partNumber: integer, putTime })),
  }),
  Block: record({
    ctx: text,
    checksum: text,
    crc32: integer,
    offset: integer,
    host: text,
    expired_at: unixSeconds,
  }),
  Uploaded: said(
    record({ hash: text, 'key?': text, 'persistentId?': text }),
    'or what the policy makes of it: returnBody, the callback receiver’s answer',
  ),
};
