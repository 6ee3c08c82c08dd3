import { flag, integer, listOf, oneOf, record, said, text, time } from './schema.ts';

const kind = oneOf(['root', 'user']);
const keyState = oneOf([0, 1], '0: enabled; 1: disabled');
const usage = {
  bytes: integer,
  objects: integer,
  classes: listOf(record({ type: integer, bytes: integer, objects: integer })),
  requests: record({ calls: integer, downloads: integer }),
};

export const accountRecords = {
  AccountError: record({ error: text, error_code: integer, 'error_description?': text }),
  Account: record({ userid: text, uid: integer, parent_uid: integer, email: text, is_disabled: flag }),
  ChildKeys: record({
    'key?': text,
    'secret?': text,
    'state?': keyState,
    'key2?': text,
    'secret2?': text,
    'state2?': keyState,
  }),
  AccessKey: record({ key: text, kind, state: keyState, created: time }),
  NewAccessKey: record({ key: text, secret: text, kind }),
  WebhookSecret: record({
    id: integer,
    secret: said(text, '`whsec_` and Base64, for every verifier of Standard Webhooks'),
    created: time,
    'retires?': said(time, 'when it expires; the current one does not'),
  }),
  AccessToken: record({ access_token: text, expires_in: said(integer, 'seconds'), refresh_token: text }),
  Usage: record({
    from: text,
    to: text,
    'uid?': integer,
    'bucket?': text,
    ...usage,
    'buckets?': listOf(record({ bucket: text, ...usage })),
  }),
};
