/** Objects and lists of them. */
import { encodeBase64Text, type KeyAction } from '@millpond/protocol';
import {
  asks,
  BAD,
  EXPIRED,
  everyone,
  form,
  header,
  type MatrixFixture,
  NO_BUCKET,
  NO_ENTRY,
  type Row,
  row,
} from './row.ts';

const NOT_ARCHIVE = '403 operation only allowed for archive or deep archive';

const BULK = '01900000-0000-7000-8000-000000000000';
const bulkOf = (bucket: string) => ({
  body: JSON.stringify({ kind: 'class', bucket, keys: ['k-none'], class: 1 }),
  contentType: 'application/json',
});
const UNDELETED = { body: '{"ids":["0"]}', contentType: 'application/json' };

export const objectRows: readonly Row[] = [
  row(
    'rs GET,POST /stat/*',
    header('bucket', ({ entry }) => ({ target: `/stat/${entry}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    asks('object', 'read'),
  ),
  ...(
    [
      ['delete', ({ entry }) => entry, ['delete']],
      // Onto itself by force: allowed, and nothing changes.
      ['copy', ({ entry }) => `${entry}/${entry}/force/true`, ['read', 'write', 'delete']],
      ['move', ({ entry }) => `${entry}/${entry}/force/true`, ['read', 'write', 'delete']],
      ['chstatus', ({ entry }) => `${entry}/status/0`, ['write']],
      ['deleteAfterDays', ({ entry }) => `${entry}/0`, ['write', 'delete']],
      ['lifecycle', ({ entry }) => `${entry}/toIAAfterDays/-1`, ['write']],
    ] as const satisfies readonly (readonly [
      string,
      (fixture: MatrixFixture) => string,
      readonly KeyAction[],
    ])[]
  ).map(([name, rest, actions]) =>
    row(
      `rs POST /${name}/*`,
      header('bucket', (fixture) => ({ target: `/${name}/${rest(fixture)}` })),
      ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
      asks('object', ...actions),
    ),
  ),
  row(
    // Each operation answers for itself, in the body: what it names is judged there, in tests of its own.
    'rs POST /batch',
    form('/batch', ({ entry }) => `op=/stat/${entry}`, 'nothing'),
    ['200', BAD, BAD, '298 undefined', '298 undefined', '200', BAD, EXPIRED, BAD],
    { ...asks('object', 'read'), refused: '298 undefined' },
  ),
  row(
    'rs POST /chgm/*',
    header('bucket', ({ entry }) => ({ target: `/chgm/${entry}/mime/${encodeBase64Text('a/b')}` })),
    ['200', BAD, BAD, NO_ENTRY, NO_ENTRY, '200', BAD, EXPIRED, BAD],
    asks('object', 'write'),
  ),
  row(
    'rs POST /restoreAr/*',
    header('bucket', ({ entry }) => ({ target: `/restoreAr/${entry}/freezeAfterDays/1` })),
    [NOT_ARCHIVE, BAD, BAD, NO_ENTRY, NO_ENTRY, NOT_ARCHIVE, BAD, EXPIRED, BAD],
    asks('object', 'write'),
  ),
  row(
    'rs POST /chtype/*',
    header('bucket', ({ entry }) => ({ target: `/chtype/${entry}/type/1` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    asks('object', 'write'),
  ),
  row(
    'api GET /v1/trash/:bucket',
    header('bucket', ({ bucket }) => ({ target: `/v1/trash/${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    asks('bucket', 'list'),
  ),
  row(
    // What the ids name is judged one by one, in tests of its own.
    'api POST /v1/trash/:bucket/undelete',
    header('bucket', ({ bucket }) => ({ target: `/v1/trash/${bucket}/undelete`, ...UNDELETED })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    asks('way to objects', 'write'),
  ),
  row(
    // It is about an object that is not there.
    'api POST /v1/bulk',
    header('bucket', ({ bucket }) => ({ target: '/v1/bulk', ...bulkOf(bucket) })),
    ['202 undefined', BAD, BAD, NO_BUCKET, NO_BUCKET, '202 undefined', BAD, EXPIRED, BAD],
    asks('object', 'write'),
  ),
  row(
    'api GET /v1/bulk',
    header('nothing', () => ({ target: '/v1/bulk' })),
    everyone(),
    asks('nothing'),
  ),
  ...['GET /v1/bulk/:id', 'POST /v1/bulk/:id/stop'].map((route) =>
    row(
      `api ${route}`,
      header('nothing', () => ({ target: route.split(' ')[1]?.replace(':id', BULK) ?? '' })),
      everyone('612 no such bulk work'),
      asks('nothing'),
    ),
  ),
  row(
    'rsf GET,POST /list',
    header('bucket', ({ bucket }) => ({ target: `/list?bucket=${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    asks('bucket', 'list'),
  ),
  row(
    'rsf GET,POST /v2/list',
    header('bucket', ({ bucket }) => ({ target: `/v2/list?bucket=${bucket}` })),
    ['200', BAD, BAD, NO_BUCKET, NO_BUCKET, '200', BAD, EXPIRED, BAD],
    asks('bucket', 'list'),
  ),
];
