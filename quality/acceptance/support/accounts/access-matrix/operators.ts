/** What an account sees of itself at a glance; and calls that no key and no token may make: they need an operator's session. */
import { ADMINISTERS, everyone, header, OPEN, type Row, row, same } from './row.ts';

const NO_OPERATOR = '401 #15';

export const operatorRows: readonly Row[] = [
  'GET /v1/operator/figures',
  'GET /v1/operator/health',
  'GET /v1/operator/accounts',
  'POST /v1/operator/accounts/:uid/disable',
  'POST /v1/operator/accounts/:uid/enable',
].map((call) =>
  row(
    `api ${call}`,
    header('nothing', () => ({ target: call.split(' ')[1]?.replace(':uid', '1380000001') ?? '' })),
    same(NO_OPERATOR),
    OPEN,
  ),
);

export const overviewRows: readonly Row[] = ['/v1/overview', '/v1/failures'].map((path) =>
  row(
    `api GET ${path}`,
    header('nothing', () => ({ target: path })),
    everyone(),
    ADMINISTERS,
  ),
);
