/** Files of other servers: fetches and mirrors. */
import { encodeBase64Text } from '@millpond/protocol';
import {
  ADMINISTERS_BUCKET,
  asks,
  BAD,
  EXPIRED,
  header,
  NO_BUCKET,
  NO_ENTRY,
  NO_FILE,
  type Row,
  row,
} from './row.ts';

const [NO_MIRROR, NO_ORIGIN] = ['400 invalid argument', '478 origin failed'];
const DENIED_URL = encodeBase64Text('http://127.0.0.1:9/');
/** They put a file in the place of the object. */
const REPLACES = asks('object', 'write', 'delete');
const NO_FETCH = '00000000-0000-4000-8000-000000000000';

export const fetchRows: readonly Row[] = [
  row(
    // The bucket has no mirror source yet: whoever may ask is told so.
    'io POST /prefetch/*',
    header('bucket', ({ entry }) => ({ target: `/prefetch/${entry}` })),
    [NO_MIRROR, BAD, BAD, NO_FILE, NO_FILE, NO_MIRROR, BAD, EXPIRED, BAD],
    REPLACES,
  ),
  row(
    // The address is denied: whoever may ask gets as far as that.
    'io POST /fetch/*',
    header('bucket', ({ entry }) => ({ target: `/fetch/${DENIED_URL}/to/${entry}` })),
    [NO_ORIGIN, BAD, BAD, NO_BUCKET, NO_BUCKET, NO_ORIGIN, BAD, EXPIRED, BAD],
    REPLACES,
  ),
  row(
    'uc POST /image/*',
    header('bucket', ({ bucket }) => ({ target: `/image/${bucket}/from/${DENIED_URL}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    ADMINISTERS_BUCKET,
  ),
  row(
    'uc POST /unimage/*',
    header('bucket', ({ bucket }) => ({ target: `/unimage/${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    ADMINISTERS_BUCKET,
  ),
  row(
    'api POST /sisyphus/fetch',
    header('bucket', ({ bucket }) => ({
      target: '/sisyphus/fetch',
      contentType: 'application/json',
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', bucket, key: 'k-asynchronous' }),
    })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    REPLACES,
  ),
  row(
    'api GET /sisyphus/fetch',
    header('nothing', () => ({ target: `/sisyphus/fetch?id=${NO_FETCH}` })),
    [NO_ENTRY, BAD, BAD, NO_ENTRY, NO_ENTRY, NO_ENTRY, BAD, EXPIRED, BAD],
    // What the fetch of an id asked is judged once there is one.
    asks('nothing'),
  ),
];
