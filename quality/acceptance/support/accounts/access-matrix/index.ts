/**
 * Who gets in where: a row for every route of the server, a column for every way to come. An answer is written as its
 * status with the error's text, or with `#` and the error_code. A route without a row fails the test that reads this.
 */
import { accountRows, tokenEndingRows } from './accounts.ts';
import { bucketRows } from './buckets.ts';
import { deliveryRows } from './deliveries.ts';
import { downloadRows } from './downloads.ts';
import { fetchRows } from './fetches.ts';
import { liveRows } from './live.ts';
import { objectRows } from './objects.ts';
import { operatorRows, overviewRows } from './operators.ts';
import { processingRows } from './processing.ts';
import { header, OPEN, type Row, row, same } from './row.ts';
import { uploadRows } from './uploads.ts';

export { type Asks, type Column, columns, type MatrixFixture, type Row } from './row.ts';

export const rows: readonly Row[] = [
  // For everybody.
  row(
    'api GET /v1/openapi.json',
    header('nothing', () => ({ target: '/v1/openapi.json' })),
    same('200'),
    OPEN,
  ),
  ...accountRows,
  ...operatorRows,
  ...overviewRows,
  ...deliveryRows,
  ...processingRows,
  ...liveRows,
  ...bucketRows,
  ...fetchRows,
  ...objectRows,
  ...uploadRows,
  ...downloadRows,
  ...tokenEndingRows,
];
