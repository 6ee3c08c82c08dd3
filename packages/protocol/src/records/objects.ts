import { STORAGE_CLASS_TEXT, storageClasses } from '../storage-classes.ts';
import {
  hundredNanoseconds,
  integer,
  listOf,
  mapOf,
  oneOf,
  record,
  text,
  time,
  unixSeconds,
  withDescription,
} from './schema.ts';
import { waitingFor } from './waiting.ts';

const storageClass = oneOf(
  storageClasses.map(({ number }) => number),
  `storage class: ${STORAGE_CLASS_TEXT}`,
);
/** More digits than a number of JavaScript holds. */
const putTime = withDescription(
  hundredNanoseconds,
  'time of the upload in units of 100 ns; beyond 2^53, so read it as a 64-bit integer',
);

const object = {
  fsize: withDescription(integer, 'bytes'),
  hash: withDescription(text, 'etag of the content'),
  mimeType: text,
  type: storageClass,
  putTime,
  'status?': withDescription(integer, '1: disabled; absent: enabled'),
  'restoreStatus?': withDescription(integer, '1: being restored; 2: restored; absent while frozen'),
  'restoreReady?': withDescription(unixSeconds, 'unix seconds: when a restore makes it readable'),
  'restoreEnds?': withDescription(unixSeconds, 'unix seconds: when it freezes again'),
  'waitingFor?': withDescription(waitingFor, 'while it is being restored'),
  'endUser?': text,
  'expiration?': withDescription(unixSeconds, 'unix seconds: when it is deleted automatically'),
  'transitionToIA?': unixSeconds,
  'transitionToARCHIVE?': unixSeconds,
  'transitionToDeepArchive?': unixSeconds,
  'x-svc-meta?': withDescription(mapOf(text), 'custom metadata'),
  'responseHeaders?': withDescription(
    mapOf(text),
    'headers that the owner set for downloads, such as `Cache-Control`',
  ),
};

export const objectRecords = {
  Object: record(object),
  ListedObject: record({ key: text, ...object }),
  Trashed: record({
    id: withDescription(text, 'of this version in the trash'),
    key: text,
    hash: withDescription(text, 'etag of the content'),
    fsize: withDescription(integer, 'bytes'),
    mimeType: text,
    type: storageClass,
    putTime,
    reason: oneOf(['deleted', 'replaced']),
    deleted: withDescription(time, 'when it was deleted or replaced'),
    until: withDescription(time, 'when it is gone for good'),
  }),
  Undeleted: record({
    id: text,
    'key?': withDescription(text, 'the key that it has, or would have had'),
    'error?': withDescription(text, 'why it did not come back'),
  }),
  Fetched: record({ hash: text, key: text, fsize: integer, mimeType: text }),
  AsyncFetch: record({
    id: text,
    wait: oneOf([0, -1], '0: not tried yet; -1: tried'),
    state: oneOf(['waiting', 'done', 'failed']),
    'waitingFor?': withDescription(waitingFor, 'while it waits'),
    'error?': withDescription(text, 'why it failed'),
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
    partNumberMarker: withDescription(integer, 'where the next page begins; 0: this was the last'),
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
  Uploaded: withDescription(
    record({ hash: text, 'key?': text, 'persistentId?': text }),
    'or what the policy makes of it: returnBody, the callback receiver’s answer',
  ),
};
