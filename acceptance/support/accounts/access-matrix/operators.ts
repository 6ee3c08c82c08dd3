/** Calls that no key and no token may make: they need an operator's session. */
import { header, OPEN, type Row, row, same } from './row.ts';

const NO_OPERATOR = '401 #15';

export const operatorRows: readonly Row[] = ['/v1/operator/figures'].map((path) =>
  row(
    `api GET ${path}`,
    header('nothing', () => ({ target: path })),
    same(NO_OPERATOR),
    OPEN,
  ),
);
