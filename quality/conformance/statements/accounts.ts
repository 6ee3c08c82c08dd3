import { statements } from '../statement.ts';

/** Parent and child accounts. */
export const accountsStatements = [
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'Resources: Account record' },
    {
      'account-01': '`userid` is a string, the registered user name (usually the e-mail)',
      'account-02': '`uid` is an integer that is different for every account',
      'account-03': '`parent_uid` of a child is the uid of its parent',
      'account-04': '`email` is a string, the registered e-mail',
      'account-05': '`is_disabled` is a JSON boolean',
      'account-06': 'List, create and info answer records of the same five fields',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'Endpoints 6' },
    {
      'children-01': 'GET {api_url}/v1/user/children answers 200 with a JSON array of account records',
      'children-02': 'The array is ordered by uid ascending',
      'children-03': 'Without offset the list starts at the first child (default 0)',
      'children-04': 'offset=2 leaves out the first two children',
      'children-05': 'limit=2 answers at most two records',
      'children-06': 'Without limit at most 1000 records come (default 1000)',
      'children-07': 'offset and limit together page through all children without gap or repeat',
      'children-08': 'A 200 answer has Content-Type application/json',
      'children-09': 'A 200 answer has Cache-Control no-store',
      'children-10': 'The call is served over HTTPS only',
      'children-11': "Parent account only: a child's key answers 401",
      'children-12': 'The list holds the children of the calling account only',
      'children-13':
        'A GET with Content-Type application/x-www-form-urlencoded and a credential over it is accepted',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'Limits' },
    {
      'children-limit-01': 'limit=1000 is accepted',
      'children-limit-02': 'limit=1001 is refused with 400',
      'children-limit-03': 'limit=0 is refused with 400',
      'children-limit-04': 'offset=0 is accepted',
      'children-limit-05': 'offset=-1 is refused with 400',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'Endpoints 7' },
    {
      'create-child-01':
        'POST {api_url}/v1/user/create_child with email and password answers 200 with one account record',
      'create-child-02': 'The record carries the e-mail that was sent, URL-decoded (`a%2Bb%40c.example`)',
      'create-child-03': 'The password is URL-decoded: the child signs in with the plain one',
      'create-child-04': 'The call is served over HTTPS only',
      'create-child-05': "Parent account only: a child's key answers 401",
      'create-child-06': 'The new child appears in the children list',
      'create-child-07': 'email missing: 400, 6',
      'create-child-08': 'password missing: 400, 6',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'States and transitions' },
    {
      'create-child-09': 'The new child is enabled: is_disabled is false',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'Endpoints 8' },
    {
      'info-01': 'POST {api_url}/v1/user/info answers 200 with one account record: that of the caller',
      'info-02': 'The call takes no parameters: an empty body is accepted',
      'info-03': 'The call is served over HTTPS only',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'interface', milestone: 'accounts', where: 'Versioning' },
    {
      'version-01': 'Account calls carry the prefix /v1/: /user/info and /v2/user/info do not serve the call',
    },
  ),
  ...statements(
    { subject: 'accounts', from: 'decision', milestone: 'accounts', where: 'accounts' },
    {
      'account-rule-01': '`uid` and `parent_uid` are JSON numbers; parent_uid is 0 for a top account',
      'account-rule-02': 'A bad account credential answers 401, 11',
      'account-rule-03': 'A user key on an account call answers 401, 15',
      'account-rule-04': "A child's key on the children calls answers 401, 15",
      'account-rule-05': "A child's root key may read its own info",
      'account-rule-06': "An unknown child uid answers 400, 14; another parent's child answers the same",
      'account-rule-07':
        'E-mails are unique as they are folded (NFKC, lower case): `A@x.example` after `a@x.example` answers 409, 10',
      'account-rule-08': 'Passwords are stored as argon2id with m=19 MiB, t=2, p=1',
      'account-rule-09': '`millpond account password` sets a new password; the old one no longer signs in',
      'account-rule-10': '`millpond account create` makes a parent account; `--json` prints its record',
      'account-rule-11':
        'disable_child with uid and reason answers the record with is_disabled true; its keys answer 401 within 5 s',
      'account-rule-12': 'enable_child answers the record with is_disabled false; its keys work again',
      'account-rule-13':
        'child_key answers the keys and secrets of the child, and the act is in the audit log',
      'account-rule-14': 'limit or offset that is not a number, below or above its bounds: 400, 8',
      'account-rule-15': 'Too many account calls: 417, 12 with `Retry-After`',
      'account-rule-16':
        'A closed account is disabled at once; its buckets are emptied after 30 days and then it is gone',
      'account-token-01':
        'Disabling an account ends its access tokens for good: enabling it revives none; a refresh then gives one that works',
      'account-form-01': 'A form of an account or token call with a `%` that begins no escape answers 400, 8',
    },
  ),
];
