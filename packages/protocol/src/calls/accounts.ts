import { ref } from '../records/index.ts';
import { anything, integer, listOf, mapOf, record, text, withDescription } from '../records/schema.ts';
import { answers, form, group, json, limit, marker, may, needed, pageOf } from './builders.ts';
import type { CallDescription } from './call.ts';

const account = group('Accounts', 'api', 'management');
const one = answers(ref('Account'));

const operator = group('Operators', 'api', 'operator session');
const signing = group('Signing', 'api', 'management or token');
const signer = withDescription(
  text,
  'which key of the account signs; default: the oldest enabled root key. A key with limits signs only with itself',
);
const LIMITS =
  'JSON as in the record of a key, `{"buckets":["photos"],"actions":["read","list"]}`, at most 4096 characters; an empty list allows nothing';

export const accountCalls: readonly CallDescription[] = [
  account('userInfo', 'POST /v1/user/info', 'The account of the key that signs', { answer: one }),
  account('children', 'GET /v1/user/children', 'Child accounts, in the order they were created', {
    query: [may('offset', 'how many to skip', integer), limit(1000)],
    answer: answers(listOf(ref('Account'))),
  }),
  account('createChild', 'POST /v1/user/create_child', 'Creates a child account', {
    body: form(needed('email', 'its e-mail'), needed('password', 'its password')),
    answer: one,
  }),
  ...(['disable', 'enable'] as const).flatMap((word) =>
    ['_', '-'].map((dash) =>
      account(
        dash === '_' ? `${word}Child` : `${word}ChildOld`,
        `POST /v1/user/${word}${dash}child`,
        word === 'disable'
          ? 'Disables a child account: all its credentials are refused within 5 s'
          : 'Enables a child account that its parent disabled, but not one that the operator disabled or closed',
        {
          body: form(
            needed('uid', 'uid of the child', integer),
            word === 'disable' ? needed('reason', 'why') : may('reason', 'why'),
          ),
          answer: one,
        },
      ),
    ),
  ),
  account('childKey', 'GET /v1/user/child_key', 'Access keys of a child account', {
    query: [may('uid', 'uid of the child', integer), may('email', 'or its e-mail')],
    answer: answers(ref('ChildKeys')),
  }),
  account('keys', 'GET /v1/user/keys', 'Access keys of the account, oldest first, without their secrets', {
    answer: answers(listOf(ref('AccessKey'))),
  }),
  account(
    'createKey',
    'POST /v1/user/create_key',
    'Creates a second access key, or one with limits; its secret is shown only once',
    {
      body: form(
        may(
          'kind',
          '`root`, or `user`, which cannot make account calls; must be given for a key without limits, otherwise `user`',
        ),
        may('limits', `${LIMITS}; absent: none`),
        may('note', 'what it is for: one line of at most 100 characters'),
      ),
      answer: answers(ref('NewAccessKey')),
    },
  ),
  account(
    'limitKey',
    'POST /v1/user/limit_key',
    'Sets the limits of an access key, within 5 s everywhere; not of the one that signs',
    {
      body: form(
        needed('key', 'the access key'),
        needed('limits', `${LIMITS}; the word \`unlimited\` takes all away`),
      ),
      answer: answers(ref('AccessKey')),
    },
  ),
  ...(['disable', 'enable'] as const).map((word) =>
    account(
      `${word}Key`,
      `POST /v1/user/${word}_key`,
      word === 'disable'
        ? 'Disables an access key, within 5 s everywhere; not the one that signs'
        : 'Enables an access key again',
      { body: form(needed('key', 'the access key')), answer: answers(ref('AccessKey')) },
    ),
  ),
  account('deleteKey', 'POST /v1/user/delete_key', 'Deletes a disabled access key permanently', {
    body: form(needed('key', 'the access key')),
  }),
  account(
    'audit',
    'GET /v1/audit',
    'What the account and its children did that concerns security, newest first. Follow the marker: a page may be short and still not the last',
    {
      query: [
        may('since', 'from this time on, ISO 8601 or unix seconds'),
        may('until', 'before this time'),
        may('action', 'such as `key.create` or `token.password`'),
        may('target', 'exactly this e-mail, access key or call'),
        may('actor', 'exactly this access key, or `console:` and an e-mail'),
        may('reqid', 'of this request'),
        marker,
        limit(1000),
      ],
      answer: pageOf('AuditEntry'),
    },
  ),
  account(
    'webhookSecrets',
    'GET /v1/user/webhook_secrets',
    'The secrets that verify what Millpond sends, newest first; each access is recorded',
    { answer: answers(listOf(ref('WebhookSecret'))) },
  ),
  account(
    'exchangeWebhookSecret',
    'POST /v1/user/exchange_webhook_secret',
    'Creates a new webhook secret; both sign until the old one expires',
    {
      body: form(may('keep_old', 'seconds for which the old one still signs; default 86400', integer)),
      answer: answers(listOf(ref('WebhookSecret'))),
    },
  ),
  group('Accounts', 'auth', 'none')(
    'token',
    'POST /oauth2/token',
    'An access token for a password or a refresh token',
    {
      body: form(
        needed('grant_type', '`password` or `refresh_token`'),
        may('username', 'e-mail, with `password`'),
        may('password', 'with `password`'),
        may('refresh_token', 'with `refresh_token`'),
        may('client_id', 'if the operator has named applications'),
        may('client_secret', 'its secret'),
      ),
      answer: answers(ref('AccessToken')),
    },
  ),
  operator('operatorAccounts', 'GET /v1/operator/accounts', 'Accounts by e-mail, with what they store', {
    query: [may('begins', 'only those whose e-mail begins with it'), marker, limit(100)],
    answer: pageOf('OperatorAccount'),
  }),
  ...(['disable', 'enable'] as const).map((word) =>
    operator(
      `${word}Account`,
      `POST /v1/operator/accounts/{uid}/${word}`,
      word === 'disable'
        ? 'Disables an account: all its credentials are refused within 5 s, and its sessions end'
        : 'Enables an account again, whoever disabled or closed it',
      { body: form(may('reason', 'why')), answer: one },
    ),
  ),
  signing(
    'signUploadToken',
    'POST /v1/sign/upload-token',
    'An upload token for this policy. A mistake in the policy is told, an unknown field too',
    {
      body: json(
        record({
          policy: withDescription(
            mapOf(anything),
            'fields of the upload policy; without `deadline`, one hour from now',
          ),
          'accessKey?': signer,
        }),
      ),
      answer: answers(ref('SignedUploadToken')),
    },
  ),
  signing(
    'signDownloadUrl',
    'POST /v1/sign/download-url',
    'A URL of an object that works for anyone who has it until its deadline',
    {
      body: json(
        record({
          bucket: text,
          key: text,
          'query?': withDescription(
            text,
            'a command on images or similar; a literal `%` must be written `%25`',
          ),
          'attname?': withDescription(text, 'the name under which a browser saves it'),
          'expires?': withDescription(integer, 'seconds for which it is valid; default 3600'),
          'domain?': withDescription(
            text,
            'a host name bound to the bucket, also with `http://` or `https://` before it',
          ),
          'accessKey?': signer,
        }),
      ),
      answer: answers(ref('SignedUrl')),
    },
  ),
  group('Usage', 'api', 'management or token')(
    'usage',
    'GET /v1/usage',
    'What the account or one bucket stores, and its requests by day',
    {
      query: [
        may('bucket', 'only this bucket'),
        may('from', 'first day, `2026-11-01`'),
        may('to', 'last day'),
      ],
      answer: answers(ref('Usage')),
    },
  ),
  group('About', 'api', 'none')('openApi', 'GET /v1/openapi.json', 'This description, as OpenAPI', {
    answer: answers({ type: 'object' }),
  }),
];
