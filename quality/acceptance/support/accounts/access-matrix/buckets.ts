/** Buckets and their settings. */
import { encodeBase64Text } from '@millpond/protocol';
import {
  ADMINISTERS,
  ADMINISTERS_BUCKET,
  asks,
  BAD,
  EXPIRED,
  everyone,
  form,
  header,
  NO_BUCKET,
  OPEN,
  onBucket,
  ownerAnswers,
  type Row,
  row,
  same,
} from './row.ts';

export const bucketRows: readonly Row[] = [
  row(
    'api POST /v1/lifecycle/preview',
    header('bucket', ({ bucket }) => ({
      target: '/v1/lifecycle/preview',
      body: JSON.stringify({ bucket, rule: { delete_after_days: 1 } }),
      contentType: 'application/json',
    })),
    ownerAnswers(),
    asks('bucket', 'administer', 'list'),
  ),
  row(
    'uc POST /mkbucketv3/*',
    header('nothing', ({ fresh }) => ({ target: `/mkbucketv3/${fresh}/region/z0` })),
    ['200', BAD, BAD, '200', '200', '200', BAD, EXPIRED, BAD],
    // It is not one of the buckets that limits name.
    ADMINISTERS,
  ),
  row(
    'uc POST /private',
    form('/private', ({ bucket }) => `bucket=${bucket}&private=1`, 'bucket'),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    ADMINISTERS_BUCKET,
  ),
  row(
    'uc GET,POST /buckets',
    header('nothing', () => ({ target: '/buckets' })),
    everyone(),
    asks('nothing', 'list'),
  ),
  row(
    'uc GET /regions',
    header('nothing', () => ({ target: '/regions' })),
    everyone(),
    asks('nothing'),
  ),
  onBucket(
    'uc GET,POST /v2/bucketInfo',
    ({ bucket }) => `/v2/bucketInfo?bucket=${bucket}`,
    undefined,
    asks('way to objects', 'list'),
  ),
  onBucket('uc POST /drop/*', ({ bucket }) => `/drop/${bucket}`, '403 drop non empty bucket is not allowed'),
  row(
    'uc POST /corsRules/set/*',
    header('bucket', ({ bucket }) => ({ target: `/corsRules/set/${bucket}`, body: '[]' })),
    ownerAnswers(),
    ADMINISTERS_BUCKET,
  ),
  row(
    'uc POST /eventRules/set/*',
    header('bucket', ({ bucket }) => ({ target: `/eventRules/set/${bucket}`, body: '[]' })),
    ownerAnswers(),
    ADMINISTERS_BUCKET,
  ),
  onBucket('uc GET,POST /eventRules/get/*', ({ bucket }) => `/eventRules/get/${bucket}`),
  onBucket('uc GET,POST /corsRules/get/*', ({ bucket }) => `/corsRules/get/${bucket}`),
  onBucket('uc GET /bucketTagging', ({ bucket }) => `/bucketTagging?bucket=${bucket}`),
  row(
    'uc PUT /bucketTagging',
    header('bucket', ({ bucket }) => ({ target: `/bucketTagging?bucket=${bucket}`, body: '{"Tags":[]}' })),
    ownerAnswers(),
    ADMINISTERS_BUCKET,
  ),
  onBucket('uc DELETE /bucketTagging', ({ bucket }) => `/bucketTagging?bucket=${bucket}`),
  onBucket(
    'uc GET,POST /v2/domains',
    ({ bucket }) => `/v2/domains?tbl=${bucket}`,
    undefined,
    asks('way to objects', 'list'),
  ),
  onBucket(
    'uc GET,POST /v3/domains',
    ({ bucket }) => `/v3/domains?tbl=${bucket}`,
    undefined,
    asks('way to objects', 'list'),
  ),
  onBucket(
    'uc POST /publish/*',
    ({ bucket }) => `/publish/${encodeBase64Text('io.example.test')}/from/${bucket}`,
    '403 not allowed',
    ADMINISTERS,
  ),
  row(
    'uc POST /unpublish/*',
    header('nothing', () => ({ target: `/unpublish/${encodeBase64Text('none.example.com')}` })),
    everyone('612 no such domain'),
    ADMINISTERS,
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
    ADMINISTERS_BUCKET,
  ),
  ...['update', 'delete'].map((name) =>
    row(
      `uc POST /rules/${name}`,
      form(`/rules/${name}`, ({ bucket }) => `bucket=${bucket}&name=none&delete_after_days=9`, 'bucket'),
      ownerAnswers('612 no such rule'),
      ADMINISTERS_BUCKET,
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
      OPEN,
    ),
  ),
];
