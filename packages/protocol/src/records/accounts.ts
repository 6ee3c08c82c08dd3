import { keyActions } from '../key-limits/key-limits.ts';
import { anything, flag, integer, listOf, mapOf, oneOf, record, said, text, time } from './schema.ts';

const kind = oneOf(['root', 'user'], '`user` keys can make no account calls');
const note = said(text, 'what it is for, as given when it was created');
const keyState = oneOf([0, 1], '0: enabled; 1: disabled');
const keyLimits = record({
  'buckets?': said(listOf(text), 'only these buckets; of this and the other lists: empty allows nothing'),
  'prefixes?': said(listOf(text), 'only objects whose key begins with one of these'),
  'actions?': said(listOf(oneOf(keyActions)), `only these of ${keyActions.join(', ')}`),
  'networks?': said(
    listOf(text),
    'only from these, in CIDR form: `10.0.0.0/8`, `2001:db8::/32`, `192.0.2.7`',
  ),
  'expiresAt?': said(integer, 'unix seconds: from then on, nothing'),
});
/** One record, wherever keys show theirs. */
const limits: typeof keyLimits = { $ref: '#/components/schemas/KeyLimits' };
const usage = {
  bytes: said(integer, 'stored'),
  objects: integer,
  classes: listOf(record({ type: said(integer, 'storage class'), bytes: integer, objects: integer })),
  requests: record({ calls: integer, downloads: integer }),
};

const account = {
  userid: said(text, 'the same as `email`'),
  uid: integer,
  parent_uid: said(integer, '0: it has no parent'),
  email: text,
  is_disabled: flag,
};

export const accountRecords = {
  AccountError: record({ error: text, error_code: integer, 'error_description?': text }),
  Account: record(account),
  OperatorAccount: record({
    ...account,
    operator: said(flag, 'its sessions of the console see all accounts'),
    created: time,
    buckets: said(integer, 'how many it has'),
    bytes: said(integer, 'stored, in all of them'),
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
    'limits?': said(limits, 'absent: it may do all that its account may'),
    'lastUsed?': said(time, 'to the minute, a minute late at most; what it signed counts when it is used'),
    'lastAddress?': said(text, 'from where'),
    'note?': note,
  }),
  NewAccessKey: record({ key: text, secret: text, kind, 'limits?': limits, 'note?': note }),
  AuditEntry: record({
    at: time,
    action: said(text, 'such as `key.disable`'),
    result: said(text, '`ok`, or the name of the refusal'),
    actor: said(text, 'an access key, an e-mail, `console:` and an e-mail, or `operator`'),
    'uid?': said(integer, 'the account that acted'),
    address: said(text, 'from where'),
    target: said(text, 'what it was about: an e-mail, an access key, a call'),
    reqid: said(text, 'request id'),
  }),
  SignedUploadToken: record({
    token: said(text, 'for uploads'),
    accessKey: said(text, 'the key that signed it'),
    policy: said(mapOf(anything), 'as it was signed, with its deadline'),
  }),
  SignedUrl: record({ url: text, deadline: said(integer, 'unix seconds') }),
  WebhookSecret: record({
    id: integer,
    secret: said(text, '`whsec_` and Base64, for every verifier of Standard Webhooks'),
    created: time,
    'retires?': said(time, 'when it expires; the current one does not'),
  }),
  AccessToken: record({ access_token: text, expires_in: said(integer, 'seconds'), refresh_token: text }),
  Usage: record({
    from: said(text, 'first day, `2026-11-01`'),
    to: said(text, 'last day'),
    'uid?': said(integer, 'of an account'),
    'bucket?': said(text, 'of a bucket'),
    ...usage,
    'days?': said(
      listOf(record({ day: said(text, '`2026-11-01`'), calls: integer, downloads: integer })),
      'requests by day, if more than one was asked for; days without any are left out',
    ),
    'buckets?': said(listOf(record({ bucket: text, ...usage })), 'of an account: each of its buckets'),
  }),
};
