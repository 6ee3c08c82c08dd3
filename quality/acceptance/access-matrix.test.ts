/** Every route of the server with every way to come, against the table of what must be answered. */
import type { AccessKeyPair } from '@millpond/protocol';
import { type Account, createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Column,
  columns,
  type MatrixFixture,
  type Row,
  rows,
} from './support/accounts/access-matrix/index.ts';
import { placeOf, type Visitor, visit, written } from './support/accounts/access-matrix/visit.ts';
import { logIn, newChild, tokensOf } from './support/accounts/accounts.ts';
import { createParent } from './support/accounts/operator.ts';
import type { RawResponse } from './support/raw.ts';
import { secureSend } from './support/running/secure.ts';
import { useSecureDeployment } from './support/running/secure-deployment.ts';
import { authorize } from './support/signing.ts';

const own = useSecureDeployment({
  // A submit that no worker can run is refused.
  MILLPOND_MEDIA_SLOTS: '1',
  MILLPOND_DOWNLOAD_SUFFIX: 'dl.example.test',
  MILLPOND_HOSTS: 'io=io.example.test',
  MILLPOND_CONTROL_CACHE: '1s',
});

let visitors: Record<Column, Visitor>;
let place: MatrixFixture;

beforeAll(async () => {
  const { deployment, at, server, database } = own;
  const [owner, stranger, closed, gone] = await Promise.all(
    Array.from({ length: 4 }, () => createParent(deployment.environment)),
  );
  if (!(owner && stranger && closed && gone)) throw new Error('accounts are missing');
  const [child, sibling] = [await newChild(owner, at), await newChild(owner, at)];
  const user = JSON.parse(
    await deployment.run('key', 'create', owner.email, '--kind', 'user', '--json'),
  ) as Account;
  await createBucket(server.url, owner, 'matrix');
  place = placeOf('matrix', String(sibling.uid));
  await database.bindDomain(place.domain, place.bucket);
  const expired = await tokensOf(logIn(owner, at));
  await database.passSeconds(owner.uid, 4000);
  const cutOff = await tokensOf(logIn(gone, at));
  await deployment.run('key', 'disable', closed.accessKey);
  await deployment.run('account', 'disable', gone.email);
  visitors = {
    'the root key of the owner': { keys: owner },
    'no credential': {},
    'a wrong signature': { keys: { ...owner, secretKey: 'wrong' } },
    "another account's key": { keys: stranger },
    "a child's key": { keys: child },
    'a user key of the owner': { keys: user },
    'a disabled key': { keys: closed },
    'an expired token': { keys: owner, token: expired.access_token, expired: true },
    'a token of a disabled account': { keys: gone, token: cutOff.access_token },
  };
  await putObject(owner);
  const form = { target: '/private', body: 'bucket=matrix&private=1' };
  expect((await secureSend(form, authorize(form, { url: at.url, keys: owner }), at)).status).toBe(200);
});

async function putObject(keys: AccessKeyPair): Promise<void> {
  const token = uploadToken(keys, { scope: 'matrix:k' });
  expect((await uploadForm(own.server.url, 'hello', { token, key: 'k' })).status).toBe(200);
}

/** All of an answer that may be compared: what differs from one request to the next is left out. */
function comparable(answer: RawResponse): unknown {
  const headers = answer.headers.filter(([name]) => name !== 'x-reqid' && name !== 'date');
  return { status: answer.status, headers, body: answer.text() };
}

test('every route that the server has stands in the table, and no other', async () => {
  const lines = (await own.deployment.run('routes', '--json')).trim().split('\n');
  const served = lines.map((line) => JSON.parse(line) as Pick<Row, 'role' | 'methods' | 'path'>);
  const words = ({ role, methods, path }: Pick<Row, 'role' | 'methods' | 'path'>) =>
    `${role} ${methods} ${path}`;
  // S3 has one route for all of its operations, which s3/limited-keys.test.ts tries one by one.
  const others = served.filter(({ role }) => role !== 's3');
  expect(rows.map(words).toSorted()).toEqual(others.map(words).toSorted());
});

describe.each(rows)('$role $methods $path', (row) => {
  describe.each(row.methods.split(','))('%s', (method) => {
    test.each(columns)('with %s', async (column) => {
      await putObject(visitors['the root key of the owner'].keys ?? { accessKey: '', secretKey: '' });
      const answer = await visit(row, method, visitors[column], place, own.at);
      const expected = row.expected[column];
      expect(written(answer)).toBe(method === 'HEAD' ? expected.split(' ')[0] : expected);
      expect(answer.header('x-reqid')).toMatch(/./);
    });

    if (row.names === 'nothing') return;
    test.each(["another account's key", "a child's key"] as const)(
      'not yours looks like not there, with %s [G47]',
      async (column) => {
        const notYours = await visit(row, method, visitors[column], place, own.at);
        const notThere = await visit(row, method, visitors[column], placeOf('no-such-bucket', '1'), own.at);
        expect(notYours.status).toBeGreaterThanOrEqual(400);
        expect(comparable(notYours)).toEqual(comparable(notThere));
      },
    );
  });
});
