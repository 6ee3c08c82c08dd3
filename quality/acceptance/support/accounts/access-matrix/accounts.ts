/** Accounts, keys and tokens. */
import {
  asks,
  form,
  header,
  type MatrixFixture,
  OPEN,
  ofAccount,
  ownerAnswers,
  type Row,
  row,
} from './row.ts';

const [WRONG, RIGHTS, NONE] = ['401 #11', '401 #15', '400 #14'];

const NOBODYS_SESSION = '01900000-0000-7000-8000-000000000000';

export const accountRows: readonly Row[] = [
  row(
    'api POST /v1/user/info',
    header('nothing', () => ({ target: '/v1/user/info' })),
    ['200', WRONG, WRONG, '200', '200', RIGHTS, WRONG, WRONG, WRONG],
  ),
  row(
    'api GET /v1/user/children',
    header('nothing', () => ({ target: '/v1/user/children' })),
    ['200', WRONG, WRONG, '200', RIGHTS, RIGHTS, WRONG, WRONG, WRONG],
  ),
  row(
    'api POST /v1/user/create_child',
    form(
      '/v1/user/create_child',
      ({ fresh }) => `email=${fresh}%40example.com&password=correct+horse`,
      'nothing',
    ),
    ['200', WRONG, WRONG, '200', RIGHTS, RIGHTS, WRONG, WRONG, WRONG],
  ),
  ...['disable_child', 'disable-child', 'enable_child', 'enable-child'].map((name) =>
    row(
      `api POST /v1/user/${name}`,
      form(`/v1/user/${name}`, ({ child }) => `uid=${child}&reason=r`),
      ['200', WRONG, WRONG, NONE, RIGHTS, RIGHTS, WRONG, WRONG, WRONG],
    ),
  ),
  row(
    'api GET /v1/user/child_key',
    header('child', ({ child }) => ({ target: `/v1/user/child_key?uid=${child}` })),
    ['200', WRONG, WRONG, NONE, RIGHTS, RIGHTS, WRONG, WRONG, WRONG],
  ),
  ...(
    [
      ['GET', 'keys', '', '200'],
      // Nobody has this one.
      ['POST', 'limit_key', 'key=none&limits=unlimited', NONE],
      ['POST', 'disable_key', 'key=none', NONE],
      ['POST', 'enable_key', 'key=none', NONE],
      ['POST', 'delete_key', 'key=none', NONE],
      ['GET', 'webhook_secrets', '', '200'],
      ['POST', 'exchange_webhook_secret', 'keep_old=60', '200'],
    ] as const
  ).map(([method, name, body, own]) =>
    row(`api ${method} /v1/user/${name}`, ofAccount(method, `/v1/user/${name}`, body), [
      own,
      WRONG,
      WRONG,
      own,
      own,
      RIGHTS,
      WRONG,
      WRONG,
      WRONG,
    ]),
  ),
  ...(
    [
      ['GET', '/v1/sessions', '200'],
      ['DELETE', '/v1/sessions', '200'],
      ['DELETE', '/v1/sessions/:id', NONE],
      ['GET', '/v1/access-tokens', '200'],
      ['DELETE', '/v1/access-tokens/:id', NONE],
    ] as const
  ).map(([method, path, own]) => signedIn(method, path, own)),
  row(
    'api GET /v1/audit',
    header('nothing', () => ({ target: '/v1/audit?limit=1' })),
    ['200', WRONG, WRONG, '200', '200', RIGHTS, WRONG, WRONG, WRONG],
  ),
  // The owner has a root and a user key, which are as many as one may have.
  row(
    'api POST /v1/user/create_key',
    form('/v1/user/create_key', () => 'kind=user', 'nothing'),
    ['400 #8', WRONG, WRONG, '200', '200', RIGHTS, WRONG, WRONG, WRONG],
  ),
  ...(
    [
      [
        'upload-token',
        'write',
        ({ bucket, key }: MatrixFixture) => ({ policy: { scope: `${bucket}:${key}` } }),
      ],
      ['download-url', 'read', ({ bucket, key }: MatrixFixture) => ({ bucket, key })],
    ] as const
  ).map(([name, action, body]) =>
    row(
      `api POST /v1/sign/${name}`,
      header('bucket', (fixture) => ({
        target: `/v1/sign/${name}`,
        contentType: 'application/json',
        body: JSON.stringify(body(fixture)),
      })),
      ownerAnswers(),
      asks('object', action),
    ),
  ),
  row(
    // Needs no permission, and looks at none that is shown.
    'auth POST /oauth2/token',
    form('/oauth2/token', () => 'grant_type=refresh_token&refresh_token=x', 'nothing'),
    ['400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3'],
    OPEN,
  ),
];

/** After this one, tokens that visitors of other rows come with are no longer known. */
export const tokenEndingRows: readonly Row[] = [signedIn('DELETE', '/v1/access-tokens', '200')];

function signedIn(method: string, path: string, own: string): Row {
  return row(
    `api ${method} ${path}`,
    header('nothing', () => ({ target: path.replace(':id', NOBODYS_SESSION) })),
    [own, WRONG, WRONG, own, own, RIGHTS, WRONG, WRONG, WRONG],
  );
}
