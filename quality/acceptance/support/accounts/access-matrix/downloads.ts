/** Downloads, by every host they have. */
import { asks, BAD, LATE, OPEN, type Row, row, same, UNSIGNED } from './row.ts';

const PREFLIGHT = [
  ['Origin', 'https://app.example.com'],
  ['Access-Control-Request-Method', 'GET'],
] as const;

const url = (call: Row['call']) => ({ credential: 'url', names: 'nothing', call }) as const;

export const downloadRows: readonly Row[] = (
  [
    ['/:bucket/*', ({ bucket, key }) => ({ target: `/${bucket}/${key}` })],
    ['/~bucket/:bucket/*', ({ key, bucketHost }) => ({ target: `/${key}`, host: bucketHost })],
    ['/~domain/:domain/*', ({ key, domain }) => ({ target: `/${key}`, host: domain })],
  ] as const satisfies readonly (readonly [string, Row['call']])[]
).flatMap(([path, call]) => [
  row(
    `io GET,HEAD ${path}`,
    url(call),
    ['200', UNSIGNED, BAD, BAD, BAD, '200', BAD, LATE, BAD],
    asks('object', 'read'),
  ),
  // Browsers ask without a credential.
  row(
    `io OPTIONS ${path}`,
    url((fixture) => ({ ...call(fixture), headers: PREFLIGHT })),
    same('200'),
    OPEN,
  ),
]);
