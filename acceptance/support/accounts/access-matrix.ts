/**
 * Who gets in where: a row for every route of the server, a column for every way to come. An answer is written as its
 * status with the error's text, or with `#` and the error_code. A route without a row fails the test that reads this.
 */
import { encodeBase64Text } from '@millpond/protocol';
import type { Call } from '../signing.ts';

export const columns = [
  'the root key of the owner',
  'no credential',
  'a wrong signature',
  "another account's key",
  "a child's key",
  'a user key of the owner',
  'a disabled key',
  'an expired token',
  'a token of a disabled account',
] as const;
export type Column = (typeof columns)[number];

/** What the calls name: a private bucket of the owner, an object in it, a child of the owner. */
export interface Place {
  readonly bucket: string;
  readonly key: string;
  readonly entry: string;
  readonly child: string;
  /** A word that nothing has as its name yet. */
  readonly fresh: string;
  /** Host names where downloads of the bucket answer. */
  readonly bucketHost: string;
  readonly domain: string;
}

export interface Row {
  readonly role: string;
  /** As `millpond routes` writes them. */
  readonly methods: string;
  readonly path: string;
  /** Where a credential is shown: in the header, as upload token in a form or in the header, as token in the URL. */
  readonly credential: 'header' | 'form' | 'upload header' | 'url';
  /** What of the place is somebody's: asking a stranger for it must look like asking for what is not there. */
  readonly names: 'bucket' | 'child' | 'nothing';
  readonly call: (place: Place) => Omit<Call, 'method'>;
  readonly expected: Readonly<Record<Column, string>>;
}

type Answers = readonly [string, string, string, string, string, string, string, string, string];

function row(route: string, parts: Pick<Row, 'credential' | 'names' | 'call'>, answers: Answers): Row {
  const [role = '', methods = '', path = ''] = route.split(' ');
  const expected = Object.fromEntries(columns.map((column, index) => [column, answers[index]]));
  return { role, methods, path, ...parts, expected: expected as Row['expected'] };
}

const header = (names: Row['names'], call: Row['call']) => ({ credential: 'header', names, call }) as const;
const url = (call: Row['call']) => ({ credential: 'url', names: 'nothing', call }) as const;
const form = (path: string, body: (place: Place) => string, names: Row['names'] = 'child') =>
  header(names, (place) => ({ target: path, body: body(place) }));

/** A call about the caller's own things; with GET no body is read, nor may be signed. */
const ofAccount = (route: string, path: string, body: string) =>
  header('nothing', () => ({ target: path, ...(route.startsWith('GET') ? {} : { body }) }));

const BAD = '401 bad token';
const [WRONG, RIGHTS, NONE] = ['401 #11', '401 #15', '400 #14'];
const DELIVERY = '/01900000-0000-7000-8000-000000000000';
const [NO_BUCKET, EXPIRED] = ['631 no such bucket', '401 #9'];
const NO_ENTRY = '612 no such file or directory';
const NOT_ARCHIVE = '403 operation only allowed for archive or deep archive';
const [UNSIGNED, LATE] = ['401 token not specified', '401 expired token'];

/** A call of a resumable upload: its token stands in the header, and names what may be written. */
const resumable = (path: (place: Place) => string, body = '') =>
  ({
    credential: 'upload header',
    names: 'bucket',
    call: (place) => ({ target: path(place), body, contentType: 'application/octet-stream' }),
  }) as const satisfies Pick<Row, 'credential' | 'names' | 'call'>;
const inParts = (rest: string) =>
  resumable(({ bucket, key }) => `/buckets/${bucket}/objects/${encodeBase64Text(key)}/uploads${rest}`);
const PART_PATH = '/buckets/:bucket/objects/:key/uploads/:upload';
const [NO_FILE, NO_MIRROR, NO_ORIGIN] = ['404 not found', '400 invalid argument', '478 origin failed'];
const TASK = `z0.${'0'.repeat(40)}`;
const NO_TASK = '612 no such task';
const [NO_NAMESPACE, NO_TEMPLATE] = ['612 no such namespace', '612 no such template'];
const LIVE_BODY = '{"streamId":"s","files":[],"operations":[{"op":"replace","key":"desc","value":""}]}';
const DENIED_URL = encodeBase64Text('http://127.0.0.1:9/');
const [NO_UPLOAD, NO_CONTEXT] = ['612 no such uploadId', '701 invalid upload context'];
const UPLOAD = '/00000000-0000-4000-8000-000000000000';
/** All columns but the owner's own keys, which get as far as the call itself. */
const uploadAnswers = (own: string): Answers => [
  own,
  UNSIGNED,
  BAD,
  NO_BUCKET,
  NO_BUCKET,
  own,
  BAD,
  LATE,
  BAD,
];

/** Of a call on a bucket of the owner's, which the owner's keys get as far as this. */
const ownerAnswers = (own = '200'): Answers => [own, BAD, BAD, NO_BUCKET, NO_BUCKET, own, BAD, EXPIRED, BAD];
/** Of a call that every account may make for itself. */
const everyone = (own = '200'): Answers => [own, BAD, BAD, own, own, own, BAD, EXPIRED, BAD];
const PREFLIGHT = [
  ['Origin', 'https://app.example.com'],
  ['Access-Control-Request-Method', 'GET'],
] as const;
const same = (one: string): Answers => [one, one, one, one, one, one, one, one, one];
const onBucket = (route: string, target: (place: Place) => string, own?: string) =>
  row(
    route,
    header('bucket', (place) => ({ target: target(place) })),
    ownerAnswers(own),
  );

/** Columns: root, none, wrong, another's, child's, user, disabled, expired token, token of a disabled account. */
export const rows: readonly Row[] = [
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
  // The owner has a root and a user key, which are as many as one may have.
  row(
    'api POST /v1/user/create_key',
    form('/v1/user/create_key', () => 'kind=user', 'nothing'),
    ['400 #8', WRONG, WRONG, '200', '200', RIGHTS, WRONG, WRONG, WRONG],
  ),
  ...(
    [
      ['GET /v1/deliveries', '/v1/deliveries', '200'],
      ['POST /v1/deliveries/recover', '/v1/deliveries/recover', '200'],
      ['POST /v1/deliveries/replay', '/v1/deliveries/replay', '200'],
      ['GET /v1/deliveries/endpoints', '/v1/deliveries/endpoints', '200'],
      ['POST /v1/deliveries/endpoints/:endpoint/resume', '/v1/deliveries/endpoints/1/resume', NO_ENTRY],
      ['GET /v1/deliveries/:delivery', `/v1/deliveries${DELIVERY}`, NO_ENTRY],
      ['POST /v1/deliveries/:delivery/resend', `/v1/deliveries${DELIVERY}/resend`, NO_ENTRY],
    ] as const
  ).map(([route, path, own]) =>
    row(`api ${route}`, ofAccount(route, path, 'since=1'), [own, BAD, BAD, own, own, own, BAD, EXPIRED, BAD]),
  ),
  row(
    'api POST /pfop/',
    form('/pfop/', ({ bucket, key }) => `bucket=${bucket}&key=${key}&fops=imageInfo`, 'bucket'),
    ['200', BAD, BAD, NO_FILE, NO_FILE, '200', BAD, EXPIRED, BAD],
  ),
  // Before anybody is asked who they are.
  row(
    'api POST /pfop',
    form('/pfop', () => '', 'nothing'),
    same('301'),
  ),
  // Whoever knows an id may ask for it.
  row(
    'api GET /v1/openapi.json',
    header('nothing', () => ({ target: '/v1/openapi.json' })),
    same('200'),
  ),
  row(
    'api GET /status/get/prefop',
    header('nothing', () => ({ target: `/status/get/prefop?id=${TASK}` })),
    same(NO_TASK),
  ),
  ...(
    [
      ['GET /v1/tasks', '/v1/tasks', '200'],
      ['GET /v1/tasks/:id', `/v1/tasks/${TASK}`, NO_TASK],
      ['POST /v1/tasks/:id/cancel', `/v1/tasks/${TASK}/cancel`, NO_TASK],
      ['POST /v1/tasks/:id/rerun', `/v1/tasks/${TASK}/rerun`, NO_TASK],
      ['GET /v1/workflows', '/v1/workflows', '200'],
      ['GET /v1/workflows/:name', '/v1/workflows/none', NO_FILE],
      ['PUT /v1/workflows/:name', '/v1/workflows/some', '200'],
      ['DELETE /v1/workflows/:name', '/v1/workflows/none', NO_FILE],
      ['GET /v1/triggers', '/v1/triggers', '200'],
      ['DELETE /v1/triggers/:id', '/v1/triggers/none', NO_FILE],
      ['GET /v1/pipelines', '/v1/pipelines', '200'],
      ['PUT /v1/pipelines/:name', '/v1/pipelines/some', '200'],
      ['DELETE /v1/pipelines/:name', '/v1/pipelines/none', NO_FILE],
    ] as const
  ).map(([route, path, own]) =>
    row(`api ${route}`, ofAccount(route, path, '{"commands":"imageInfo","concurrency":1}'), everyone(own)),
  ),
  row(
    'api POST /v1/triggers',
    form('/v1/triggers', ({ bucket }) => JSON.stringify({ bucket, workflow: 'none' }), 'bucket'),
    ownerAnswers('400 invalid argument'),
  ),
  ...(
    [
      ['POST', '/namespaces', '400 invalid argument'],
      ['GET', '/namespaces', '200'],
      ...['GET', 'PATCH', 'DELETE'].map((method) => [method, '/namespaces/:ns', NO_NAMESPACE] as const),
      ...['enabled', 'disabled'].map((word) => ['POST', `/namespaces/:ns/${word}`, NO_NAMESPACE] as const),
      ...['POST', 'GET'].map((method) => [method, '/namespaces/:ns/streams', NO_NAMESPACE] as const),
      ...['GET', 'PATCH', 'DELETE'].map(
        (method) => [method, '/namespaces/:ns/streams/:stream', NO_NAMESPACE] as const,
      ),
      ...['enabled', 'disabled', 'stop', 'key', 'urls', 'snap', 'record/start', 'record/stop'].map(
        (word) => ['POST', `/namespaces/:ns/streams/:stream/${word}`, NO_NAMESPACE] as const,
      ),
      ...['pubhistories', 'recordhistories', 'snapshots', 'records/playback.m3u8'].map(
        (word) => ['GET', `/namespaces/:ns/streams/:stream/${word}`, NO_NAMESPACE] as const,
      ),
      ...['recordhistories', 'snapshots'].map(
        (word) => ['DELETE', `/namespaces/:ns/streams/:stream/${word}`, NO_NAMESPACE] as const,
      ),
      ...['POST', 'GET'].map((method) => [method, '/namespaces/:ns/devices', NO_NAMESPACE] as const),
      ...['GET', 'PATCH', 'DELETE'].map(
        (method) => [method, '/namespaces/:ns/devices/:gbid', NO_NAMESPACE] as const,
      ),
      ...['start', 'stop', 'catalog/fetch'].map(
        (word) => ['POST', `/namespaces/:ns/devices/:gbid/${word}`, NO_NAMESPACE] as const,
      ),
      ['GET', '/namespaces/:ns/devices/:gbid/channels', NO_NAMESPACE],
      ...['GET', 'DELETE'].map(
        (method) => [method, '/namespaces/:ns/devices/:gbid/channels/:channel', NO_NAMESPACE] as const,
      ),
      ['POST', '/templates', '400 invalid argument'],
      ['GET', '/templates', '200'],
      ...['GET', 'PATCH', 'DELETE'].map((method) => [method, '/templates/:template', NO_TEMPLATE] as const),
    ] as const
  ).map(([method, path, own]) =>
    row(
      `live ${method} /v1${path}`,
      ofAccount(method, `/v1${path.replaceAll(/:\w+/g, 'nosuchlivexx')}`, LIVE_BODY),
      everyone(own),
    ),
  ),
  // A token of the stream itself, and the secret of an engine: no credential of an account counts.
  row(
    'live GET /v1/play/:ns/:stream/:file',
    header('nothing', () => ({ target: '/v1/play/nosuchlivexx/s/index.m3u8' })),
    same(BAD),
  ),
  row(
    'live POST /v1/hooks/:engine',
    header('nothing', () => ({ target: '/v1/hooks/main' })),
    same(BAD),
  ),
  row(
    // Needs no permission, and looks at none that is shown.
    'auth POST /oauth2/token',
    form('/oauth2/token', () => 'grant_type=refresh_token&refresh_token=x', 'nothing'),
    ['400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3', '400 #3'],
  ),
  row(
    'uc POST /mkbucketv3/*',
    header('nothing', ({ fresh }) => ({ target: `/mkbucketv3/${fresh}/region/z0` })),
    ['200', BAD, BAD, '200', '200', '200', BAD, EXPIRED, BAD],
  ),
  row(
    'uc POST /private',
    form('/private', ({ bucket }) => `bucket=${bucket}&private=1`, 'bucket'),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'uc GET,POST /buckets',
    header('nothing', () => ({ target: '/buckets' })),
    everyone(),
  ),
  row(
    'uc GET /regions',
    header('nothing', () => ({ target: '/regions' })),
    everyone(),
  ),
  onBucket('uc GET,POST /v2/bucketInfo', ({ bucket }) => `/v2/bucketInfo?bucket=${bucket}`),
  onBucket('uc POST /drop/*', ({ bucket }) => `/drop/${bucket}`, '403 drop non empty bucket is not allowed'),
  row(
    'uc POST /corsRules/set/*',
    header('bucket', ({ bucket }) => ({ target: `/corsRules/set/${bucket}`, body: '[]' })),
    ownerAnswers(),
  ),
  onBucket('uc GET,POST /corsRules/get/*', ({ bucket }) => `/corsRules/get/${bucket}`),
  onBucket('uc GET /bucketTagging', ({ bucket }) => `/bucketTagging?bucket=${bucket}`),
  row(
    'uc PUT /bucketTagging',
    header('bucket', ({ bucket }) => ({ target: `/bucketTagging?bucket=${bucket}`, body: '{"Tags":[]}' })),
    ownerAnswers(),
  ),
  onBucket('uc DELETE /bucketTagging', ({ bucket }) => `/bucketTagging?bucket=${bucket}`),
  onBucket('uc GET,POST /v2/domains', ({ bucket }) => `/v2/domains?tbl=${bucket}`),
  onBucket('uc GET,POST /v3/domains', ({ bucket }) => `/v3/domains?tbl=${bucket}`),
  onBucket(
    'uc POST /publish/*',
    ({ bucket }) => `/publish/${encodeBase64Text('io.example.test')}/from/${bucket}`,
    '403 not allowed',
  ),
  row(
    'uc POST /unpublish/*',
    header('nothing', () => ({ target: `/unpublish/${encodeBase64Text('none.example.com')}` })),
    everyone('612 no such domain'),
  ),
  row(
    'uc POST /rules/add',
    form(
      '/rules/add',
      ({ bucket, fresh }) =>
        `bucket=${bucket}&name=${fresh.replace('-', '_')}&prefix=${fresh}&delete_after_days=9`,
      'bucket',
    ),
    ownerAnswers(),
  ),
  ...['update', 'delete'].map((name) =>
    row(
      `uc POST /rules/${name}`,
      form(`/rules/${name}`, ({ bucket }) => `bucket=${bucket}&name=none&delete_after_days=9`, 'bucket'),
      ownerAnswers('612 no such rule'),
    ),
  ),
  onBucket('uc GET,POST /rules/get', ({ bucket }) => `/rules/get?bucket=${bucket}`),
  onBucket('uc POST /setbucketquota/*', ({ bucket }) => `/setbucketquota/${bucket}/size/-1`),
  onBucket('uc GET,POST /getbucketquota/*', ({ bucket }) => `/getbucketquota/${bucket}`),
  onBucket('api GET /v1/usage', ({ bucket }) => `/v1/usage?bucket=${bucket}`),
  // Asks for an access key of the owner's in the query, and looks at no other credential.
  ...['v4', 'v3', 'v2'].map((version) =>
    row(
      `uc GET,POST /${version}/query`,
      header('nothing', ({ bucket }) => ({ target: `/${version}/query?bucket=${bucket}` })),
      same(NO_BUCKET),
    ),
  ),
  row(
    // The bucket has no mirror source yet: whoever may ask is told so.
    'io POST /prefetch/*',
    header('bucket', ({ entry }) => ({ target: `/prefetch/${entry}` })),
    [NO_MIRROR, BAD, BAD, NO_FILE, NO_FILE, NO_MIRROR, BAD, EXPIRED, BAD],
  ),
  row(
    // The address is denied: whoever may ask gets as far as that.
    'io POST /fetch/*',
    header('bucket', ({ entry }) => ({ target: `/fetch/${DENIED_URL}/to/${entry}` })),
    [NO_ORIGIN, BAD, BAD, NO_BUCKET, NO_BUCKET, NO_ORIGIN, BAD, EXPIRED, BAD],
  ),
  row(
    'uc POST /image/*',
    header('bucket', ({ bucket }) => ({ target: `/image/${bucket}/from/${DENIED_URL}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'uc POST /unimage/*',
    header('bucket', ({ bucket }) => ({ target: `/unimage/${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'api POST /sisyphus/fetch',
    header('bucket', ({ bucket }) => ({
      target: '/sisyphus/fetch',
      contentType: 'application/json',
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', bucket, key: 'asynchronous' }),
    })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'api GET /sisyphus/fetch',
    header('nothing', () => ({ target: `/sisyphus/fetch?id=${UPLOAD.slice(1)}` })),
    [NO_ENTRY, BAD, BAD, NO_ENTRY, NO_ENTRY, NO_ENTRY, BAD, EXPIRED, BAD],
  ),
  ...(
    [
      ['GET', '', undefined, '200'],
      ['PUT', '', { allow: 'all' }, '200'],
      ['PUT', '/:name', { command: 'imageInfo' }, '200'],
      ['DELETE', '/:name', undefined, NO_FILE],
    ] as const
  ).map(([method, rest, body, own]) =>
    row(
      `api ${method} /v1/buckets/:bucket/styles${rest}`,
      header('bucket', ({ bucket, fresh }) => ({
        target: `/v1/buckets/${bucket}/styles${rest === '' ? '' : `/${fresh}`}`,
        contentType: 'application/json',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })),
      [own, BAD, BAD, NO_BUCKET, NO_BUCKET, own, BAD, EXPIRED, BAD],
    ),
  ),
  row(
    'rs GET,POST /stat/*',
    header('bucket', ({ entry }) => ({ target: `/stat/${entry}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  ...(
    [
      ['delete', ({ entry }) => entry],
      // Onto itself by force: allowed, and nothing changes.
      ['copy', ({ entry }) => `${entry}/${entry}/force/true`],
      ['move', ({ entry }) => `${entry}/${entry}/force/true`],
      ['chstatus', ({ entry }) => `${entry}/status/0`],
      ['deleteAfterDays', ({ entry }) => `${entry}/0`],
      ['lifecycle', ({ entry }) => `${entry}/toIAAfterDays/-1`],
    ] as const satisfies readonly (readonly [string, (place: Place) => string])[]
  ).map(([name, rest]) =>
    row(
      `rs POST /${name}/*`,
      header('bucket', (place) => ({ target: `/${name}/${rest(place)}` })),
      ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    ),
  ),
  row(
    // Each operation answers for itself, in the body: what it names is judged there, in tests of its own.
    'rs POST /batch',
    form('/batch', ({ entry }) => `op=/stat/${entry}`, 'nothing'),
    ['200', BAD, BAD, '298 undefined', '298 undefined', '200', BAD, EXPIRED, BAD],
  ),
  row(
    'rs POST /chgm/*',
    header('bucket', ({ entry }) => ({ target: `/chgm/${entry}/mime/${encodeBase64Text('a/b')}` })),
    ['200', BAD, BAD, NO_ENTRY, NO_ENTRY, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'rs POST /restoreAr/*',
    header('bucket', ({ entry }) => ({ target: `/restoreAr/${entry}/freezeAfterDays/1` })),
    [NOT_ARCHIVE, BAD, BAD, NO_ENTRY, NO_ENTRY, NOT_ARCHIVE, BAD, EXPIRED, BAD],
  ),
  row(
    'rs POST /chtype/*',
    header('bucket', ({ entry }) => ({ target: `/chtype/${entry}/type/1` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'rsf GET,POST /list',
    header('bucket', ({ bucket }) => ({ target: `/list?bucket=${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'rsf GET,POST /v2/list',
    header('bucket', ({ bucket }) => ({ target: `/v2/list?bucket=${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
  ),
  row(
    'up POST /',
    { credential: 'form', names: 'bucket', call: () => ({ target: '/' }) },
    uploadAnswers('200'),
  ),
  row('up POST /buckets/:bucket/objects/:key/uploads', inParts(''), uploadAnswers('200')),
  row(`up GET ${PART_PATH}`, inParts(UPLOAD), uploadAnswers(NO_UPLOAD)),
  row(`up POST ${PART_PATH}`, inParts(UPLOAD), uploadAnswers(NO_UPLOAD)),
  row(`up DELETE ${PART_PATH}`, inParts(UPLOAD), uploadAnswers(NO_UPLOAD)),
  row(`up PUT ${PART_PATH}/:number`, inParts(`${UPLOAD}/1`), uploadAnswers(NO_UPLOAD)),
  row(
    'up POST /mkblk/*',
    resumable(() => '/mkblk/5', 'hello'),
    uploadAnswers('200'),
  ),
  row(
    'up POST /bput/*',
    resumable(() => '/bput/none/0', 'hello'),
    uploadAnswers(NO_CONTEXT),
  ),
  row(
    'up POST /mkfile/*',
    resumable(() => '/mkfile/5', 'none'),
    uploadAnswers(NO_CONTEXT),
  ),
  ...(
    [
      ['/:bucket/*', ({ bucket, key }) => ({ target: `/${bucket}/${key}` })],
      ['/~bucket/:bucket/*', ({ key, bucketHost }) => ({ target: `/${key}`, host: bucketHost })],
      ['/~domain/:domain/*', ({ key, domain }) => ({ target: `/${key}`, host: domain })],
    ] as const satisfies readonly (readonly [string, Row['call']])[]
  ).flatMap(([path, call]) => [
    row(`io GET,HEAD ${path}`, url(call), ['200', UNSIGNED, BAD, BAD, BAD, '200', BAD, LATE, BAD]),
    // Browsers ask without a credential.
    row(
      `io OPTIONS ${path}`,
      url((place) => ({ ...call(place), headers: PREFLIGHT })),
      same('200'),
    ),
  ]),
];
