/** A row of the table, and what rows of several subjects share: ways to call, and the answers of all columns. */
import type { KeyAction } from '@millpond/protocol';
import type { Call } from '../../signing.ts';

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
export interface MatrixFixture {
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
  readonly call: (fixture: MatrixFixture) => Omit<Call, 'method'>;
  readonly expected: Readonly<Record<Column, string>>;
  /** What it asks of a key with limits. Absent: no such key may make the call, whatever its limits. */
  readonly asks?: Asks;
}

export interface Asks {
  readonly actions: readonly KeyAction[];
  /**
   * What it concerns: the object of the place; its bucket; its bucket, for whoever may do something in it; the account; nothing that
   * limits could be about. `open`: it looks at no credential.
   */
  readonly of: 'object' | 'bucket' | 'way to objects' | 'account' | 'nothing' | 'open';
  /** How it refuses what is asked; as every call unless said. */
  readonly refused?: string;
}

/** By column: root, none, wrong, another's, child's, user, disabled, expired token, token of a disabled account. */
export type Answers = readonly [string, string, string, string, string, string, string, string, string];

export function row(
  route: string,
  parts: Pick<Row, 'credential' | 'names' | 'call'>,
  answers: Answers,
  asks?: Asks,
): Row {
  const [role = '', methods = '', path = ''] = route.split(' ');
  const expected = Object.fromEntries(columns.map((column, index) => [column, answers[index]]));
  return { role, methods, path, ...parts, expected: expected as Row['expected'], ...(asks && { asks }) };
}

export const asks = (of: Asks['of'], ...actions: readonly KeyAction[]): Asks => ({ of, actions });
export const OPEN: Asks = asks('open');
export const ADMINISTERS: Asks = asks('account', 'administer');
export const ADMINISTERS_BUCKET: Asks = asks('bucket', 'administer');

export const header = (names: Row['names'], call: Row['call']) =>
  ({ credential: 'header', names, call }) as const;
export const form = (path: string, body: (fixture: MatrixFixture) => string, names: Row['names'] = 'child') =>
  header(names, (fixture) => ({ target: path, body: body(fixture) }));

/** A call about the caller's own things; with GET no body is read, nor may be signed. */
export const ofAccount = (route: string, path: string, body: string) =>
  header('nothing', () => ({ target: path, ...(route.startsWith('GET') ? {} : { body }) }));

export const BAD = '401 bad token';
export const EXPIRED = '401 #9';
export const [UNSIGNED, LATE] = ['401 token not specified', '401 expired token'];
export const NO_BUCKET = '631 no such bucket';
export const NO_ENTRY = '612 no such file or directory';
export const NO_FILE = '404 not found';

/** Expected statuses of a call on a bucket of the owner, whose own keys get as far as this. */
export const ownerAnswers = (own = '200'): Answers => [
  own,
  BAD,
  BAD,
  NO_BUCKET,
  NO_BUCKET,
  own,
  BAD,
  EXPIRED,
  BAD,
];
/** Expected statuses of a call that every account may make for itself. */
export const everyone = (own = '200'): Answers => [own, BAD, BAD, own, own, own, BAD, EXPIRED, BAD];
export const same = (one: string): Answers => [one, one, one, one, one, one, one, one, one];
export const onBucket = (
  route: string,
  target: (fixture: MatrixFixture) => string,
  own?: string,
  asked: Asks = ADMINISTERS_BUCKET,
) =>
  row(
    route,
    header('bucket', (fixture) => ({ target: target(fixture) })),
    ownerAnswers(own),
    asked,
  );
