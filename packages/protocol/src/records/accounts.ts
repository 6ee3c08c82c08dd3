import { keyActions } from '../key-limits/key-limits.ts';
import {
  anything,
  flag,
  integer,
  listOf,
  mapOf,
  oneOf,
  record,
  text,
  time,
  withDescription,
} from './schema.ts';

const kind = oneOf(['root', 'user'], '`user` keys can make no account calls');
const note = withDescription(text, 'what it is for, as given when it was created');
const keyState = oneOf([0, 1], '0: enabled; 1: disabled');
const keyLimits = record({
  'buckets?': withDescription(
    listOf(text),
    'only these buckets; of this and the other lists: empty allows nothing',
  ),
  'prefixes?': withDescription(listOf(text), 'only objects whose key begins with one of these'),
  'actions?': withDescription(listOf(oneOf(keyActions)), `only these of ${keyActions.join(', ')}`),
  'networks?': withDescription(
    listOf(text),
    'only from these, in CIDR form: `10.0.0.0/8`, `2001:db8::/32`, `192.0.2.7`',
  ),
  'expiresAt?': withDescription(integer, 'unix seconds: from then on, nothing'),
});
/** One record, wherever keys show theirs. */
const limits: typeof keyLimits = { $ref: '#/components/schemas/KeyLimits' };
const usage = {
  bytes: withDescription(integer, 'stored'),
  objects: integer,
  classes: listOf(
    record({ type: withDescription(integer, 'storage class'), bytes: integer, objects: integer }),
  ),
  requests: record({ calls: integer, downloads: integer }),
};

const account = {
  userid: withDescription(text, 'the same as `email`'),
  uid: integer,
  parent_uid: withDescription(integer, '0: it has no parent'),
  email: text,
  is_disabled: flag,
};

export const accountRecords = {
  AccountError: record({ error: text, error_code: integer, 'error_description?': text }),
  Account: record(account),
  OperatorAccount: record({
    ...account,
    operator: withDescription(flag, 'its sessions of the console see all accounts'),
    created: time,
    buckets: withDescription(integer, 'how many it has'),
    bytes: withDescription(integer, 'stored, in all of them'),
    objects: integer,
  }),
  ChildKeys: record({
    'key?': text,
    'secret?': text,
    'state?': keyState,
    'key2?': text,
    'secret2?': text,
    'state2?': keyState,
  }),
  KeyLimits: keyLimits,
  AccessKey: record({
    key: text,
    kind,
    state: keyState,
    created: time,
    'limits?': withDescription(limits, 'absent: it may do all that its account may'),
    'lastUsed?': withDescription(
      time,
      'to the minute, a minute late at most; what it signed counts when it is used',
    ),
    'lastAddress?': withDescription(text, 'from where'),
    'note?': note,
  }),
  NewAccessKey: record({ key: text, secret: text, kind, 'limits?': limits, 'note?': note }),
  AuditEntry: record({
    at: time,
    action: withDescription(text, 'such as `key.disable`'),
    result: withDescription(text, '`ok`, or the name of the refusal'),
    actor: withDescription(text, 'an access key, an e-mail, `console:` and an e-mail, or `operator`'),
    'uid?': withDescription(integer, 'the account that acted'),
    address: withDescription(text, 'from where'),
    target: withDescription(text, 'what it was about: an e-mail, an access key, a call'),
    reqid: withDescription(text, 'request id'),
  }),
  SignedUploadToken: record({
    token: withDescription(text, 'for uploads'),
    accessKey: withDescription(text, 'the key that signed it'),
    policy: withDescription(mapOf(anything), 'as it was signed, with its deadline'),
  }),
  SignedUrl: record({ url: text, deadline: withDescription(integer, 'unix seconds') }),
  WebhookSecret: record({
    id: integer,
    secret: withDescription(text, '`whsec_` and Base64, for every verifier of Standard Webhooks'),
    created: time,
    'retires?': withDescription(time, 'when it expires; the current one does not'),
  }),
  AccessToken: record({
    access_token: text,
    expires_in: withDescription(integer, 'seconds'),
    refresh_token: text,
  }),
  Usage: record({
    from: withDescription(text, 'first day, `2026-11-01`'),
    to: withDescription(text, 'last day'),
    'uid?': withDescription(integer, 'of an account'),
    'bucket?': withDescription(text, 'of a bucket'),
    ...usage,
    'days?': withDescription(
      listOf(record({ day: withDescription(text, '`2026-11-01`'), calls: integer, downloads: integer })),
      'requests by day, if more than one was asked for; days without any are left out',
    ),
    'buckets?': withDescription(
      listOf(record({ bucket: text, ...usage })),
      'of an account: each of its buckets',
    ),
  }),
};
