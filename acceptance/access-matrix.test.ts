/** Every route of the server with every way to come, against the table of what must be answered. */
import { randomBytes } from 'node:crypto';
import {
  type AccessKeyPair,
  FORM_TYPE,
  formatEntry,
  makeUploadToken,
  signDownloadUrl,
} from '@millpond/protocol';
import { type Account, createBucket, hashing, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Column, columns, type Place, type Row, rows } from './support/accounts/access-matrix/index.ts';
import { logIn, newChild, tokensOf } from './support/accounts/accounts.ts';
import { createParent } from './support/accounts/operator.ts';
import type { RawAnswer } from './support/raw.ts';
import { secureSend } from './support/running/secure.ts';
import { useSecureDeployment } from './support/running/secure-deployment.ts';
import { authorize, type Call } from './support/signing.ts';

const own = useSecureDeployment({
  MILLPOND_DOWNLOAD_SUFFIX: 'dl.example.test',
  MILLPOND_HOSTS: 'io=io.example.test',
  MILLPOND_CONTROL_CACHE: '1s',
});

/** What is shown where a signature is asked for, and where a token will do. */
interface Visitor {
  readonly keys?: AccessKeyPair;
  readonly token?: string;
  readonly expired?: true;
}

let visitors: Record<Column, Visitor>;
let place: Place;

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

function placeOf(bucket: string, child: string): Place {
  const bucketHost = `${bucket}.dl.example.test`;
  const names = { bucket, child, bucketHost, domain: `${bucket}.files.test`, key: 'k' };
  return {
    ...names,
    entry: formatEntry(bucket, 'k'),
    get fresh() {
      return `m-${randomBytes(8).toString('hex')}`;
    },
  };
}

async function putObject(keys: AccessKeyPair): Promise<void> {
  const token = uploadToken(keys, { scope: 'matrix:k' });
  expect((await uploadForm(own.server.url, 'hello', { token, key: 'k' })).status).toBe(200);
}

async function visit(row: Row, method: string, visitor: Visitor, where: Place): Promise<RawAnswer> {
  const call: Call = { method, ...row.call(where) };
  if (row.credential === 'form') return visitUpload(visitor, where);
  if (row.credential === 'upload header') {
    const token = uploadTokenOf(visitor, where);
    return secureSend(call, token && `UpToken ${token}`, own.at);
  }
  if (row.credential === 'url') return secureSend(signedUrl(call, visitor), undefined, own.at);
  const signed = visitor.keys && authorize(call, { url: own.at.url, keys: visitor.keys });
  return secureSend(call, visitor.token === undefined ? signed : `Svc ${visitor.token}`, own.at);
}

function deadlineFor({ expired }: Visitor): number {
  return Math.floor(Date.now() / 1000) + (expired ? -60 : 3600);
}

function uploadTokenOf(visitor: Visitor, { bucket, key }: Place): string | undefined {
  const policy = JSON.stringify({ scope: `${bucket}:${key}`, deadline: deadlineFor(visitor) });
  return visitor.keys && makeUploadToken(hashing, visitor.keys, policy);
}

async function visitUpload(visitor: Visitor, place: Place): Promise<RawAnswer> {
  const form = new FormData();
  const token = uploadTokenOf(visitor, place);
  if (token !== undefined) form.set('token', token);
  form.set('key', place.key);
  form.set('file', new Blob(['hello']), 'file');
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? FORM_TYPE;
  return secureSend({ target: '/', contentType, body: await encoded.text() }, undefined, own.at);
}

function signedUrl(call: Call, visitor: Visitor): Call {
  if (visitor.keys === undefined) return call;
  const base = call.host === undefined ? own.at.url : `https://${call.host}`;
  const signed = signDownloadUrl(hashing, visitor.keys, base + call.target, deadlineFor(visitor));
  return { ...call, target: signed.slice(base.length) };
}

/** As the table writes it. */
function written(answer: RawAnswer): string {
  if (answer.status === 200 || answer.body.length === 0) return String(answer.status);
  const { error, error_code: code } = answer.json() as { error?: string; error_code?: number };
  return `${answer.status} ${code === undefined ? error : `#${code}`}`;
}

/** All of an answer that may be compared: what differs from one request to the next is left out. */
function comparable(answer: RawAnswer): unknown {
  const headers = answer.headers.filter(([name]) => name !== 'x-reqid' && name !== 'date');
  return { status: answer.status, headers, body: answer.text() };
}

test('every route that the server has stands in the table, and no other', async () => {
  const lines = (await own.deployment.run('routes', '--json')).trim().split('\n');
  const served = lines.map((line) => JSON.parse(line) as Pick<Row, 'role' | 'methods' | 'path'>);
  const words = ({ role, methods, path }: Pick<Row, 'role' | 'methods' | 'path'>) =>
    `${role} ${methods} ${path}`;
  expect(rows.map(words).toSorted()).toEqual(served.map(words).toSorted());
});

describe.each(rows)('$role $methods $path', (row) => {
  describe.each(row.methods.split(','))('%s', (method) => {
    test.each(columns)('with %s', async (column) => {
      await putObject(visitors['the root key of the owner'].keys ?? { accessKey: '', secretKey: '' });
      const answer = await visit(row, method, visitors[column], place);
      const expected = row.expected[column];
      expect(written(answer)).toBe(method === 'HEAD' ? expected.split(' ')[0] : expected);
      expect(answer.header('x-reqid')).toMatch(/./);
    });

    if (row.names === 'nothing') return;
    test.each(["another account's key", "a child's key"] as const)(
      'not yours looks like not there, with %s [G47]',
      async (column) => {
        const notYours = await visit(row, method, visitors[column], place);
        const notThere = await visit(row, method, visitors[column], placeOf('no-such-bucket', '1'));
        expect(notYours.status).toBeGreaterThanOrEqual(400);
        expect(comparable(notYours)).toEqual(comparable(notThere));
      },
    );
  });
});
