/** Records that several calls answer with, by the name they have in the OpenAPI document. */
import {
  flag,
  integer,
  listOf,
  mapOf,
  record,
  type Schema,
  said,
  text,
  time,
  unixSeconds,
} from './schema.ts';

const object = {
  fsize: said(integer, 'bytes'),
  hash: said(text, 'etag of the content'),
  mimeType: text,
  type: said(integer, 'storage class: 0 standard, 1 infrequent access, 2 archive, 3 deep archive'),
  putTime: said(integer, 'time of the upload in units of 100 ns'),
  'status?': said(integer, '1 when it is disabled'),
  'restoreStatus?': said(integer, '1 restoring, 2 restored'),
  'endUser?': text,
  'expiration?': said(unixSeconds, 'when it goes by itself'),
  'transitionToIA?': unixSeconds,
  'transitionToARCHIVE?': unixSeconds,
  'transitionToDeepArchive?': unixSeconds,
  'x-svc-meta?': said(mapOf(text), 'custom metadata'),
};

const taskItem = {
  cmd: text,
  code: said(integer, '0 done, 1 waiting, 2 processing, 3 failed'),
  desc: text,
  error: text,
  'errorIndex?': said(text, 'index of the piped command that failed'),
  'hash?': text,
  'key?': text,
  'keys?': said(listOf(text), 'where there are several results'),
  returnOld: said(integer, '1 when an earlier result is answered'),
};

const task = {
  id: text,
  pipeline: text,
  code: said(integer, '0 done, 1 waiting, 2 processing, 3 failed'),
  desc: text,
  reqid: text,
  inputBucket: text,
  inputKey: text,
  creationDate: time,
  'type?': said(integer, '1 for an idle-time task'),
  'taskFrom?': text,
};

const delivery = {
  id: said(text, 'the `webhook-id` of every try'),
  kind: text,
  state: text,
  created: time,
  url: text,
  'endpoint?': text,
  'entity?': text,
  'sequence?': integer,
  subject: text,
  reqid: text,
};

const held = {
  bytes: integer,
  objects: integer,
  classes: listOf(record({ type: integer, bytes: integer, objects: integer })),
  requests: record({ calls: integer, downloads: integer }),
};

export const records: Readonly<Record<string, Schema>> = {
  Error: record({
    error: said(text, 'one of the list'),
    'hint?': said(text, 'what was wrong with this request'),
  }),
  AccountError: record({ error: text, error_code: integer, 'error_description?': text }),
  Account: record({ userid: text, uid: integer, parent_uid: integer, email: text, is_disabled: flag }),
  Object: record(object),
  ListedObject: record({ key: text, ...object }),
  Task: record({ ...task, items: listOf(record(taskItem)) }),
  OwnTask: record({
    ...task,
    percent: integer,
    attempts: integer,
    'finishDate?': time,
    items: listOf(record({ ...taskItem, 'words?': said(text, "the engine's last words") })),
  }),
  Workflow: record({ name: text, commands: text, createdAt: time, updatedAt: time }),
  Trigger: record({ id: text, bucket: text, prefix: text, suffix: text, workflow: text, 'notifyURL?': text }),
  Pipeline: record({ name: text, concurrency: integer }),
  Styles: record({
    separator: text,
    allow: text,
    items: listOf(record({ name: text, command: text })),
  }),
  Delivery: record(delivery),
  DeliveryWithAttempts: record({
    ...delivery,
    contentType: text,
    body: text,
    'waits?': text,
    'next?': time,
    attempts: listOf(
      record({
        attempt: integer,
        begun: time,
        url: text,
        'status?': integer,
        durationMs: integer,
        'response?': text,
        'error?': text,
      }),
    ),
  }),
  Usage: record({
    from: text,
    to: text,
    'uid?': integer,
    'bucket?': text,
    ...held,
    'buckets?': listOf(record({ bucket: text, ...held })),
  }),
  Part: record({ size: integer, etag: text, partNumber: integer, putTime: integer }),
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
  CorsRules: listOf(
    record({
      allowed_origin: listOf(text),
      allowed_method: listOf(text),
      'allowed_header?': listOf(text),
      'exposed_header?': listOf(text),
      'max_age?': integer,
    }),
  ),
  Tags: record({ Tags: listOf(record({ Key: text, Value: text })) }),
  AccessToken: record({
    access_token: text,
    token_type: text,
    expires_in: integer,
    refresh_token: text,
  }),
  Fetched: record({ hash: text, key: text, fsize: integer, mimeType: text }),
  AsyncFetch: record({
    id: text,
    wait: said(integer, '0 before the first try, -1 after it'),
    state: { enum: ['waiting', 'done', 'failed'] },
    'error?': text,
  }),
  Endpoint: record({
    endpoint: text,
    name: text,
    configured: flag,
    'url?': text,
    state: text,
    'failingSince?': time,
    'suspended?': time,
    'reason?': text,
  }),
};
