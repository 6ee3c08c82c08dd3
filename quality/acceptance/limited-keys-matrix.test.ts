/**
 * Every route of the server with keys that have limits: what the limits forbid is refused, with the limit's name, and what they
 * allow is answered as it is to the account's other keys. A route whose row does not say what it asks must refuse all of them.
 */
import type { AccessKeyPair } from '@millpond/protocol';
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type MatrixFixture, type Row, rows } from './support/accounts/access-matrix/index.ts';
import { placeOf, visit, written } from './support/accounts/access-matrix/visit.ts';
import { newChild } from './support/accounts/accounts.ts';
import { type LimitedKey, limitedKeys } from './support/accounts/limited-keys.ts';
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
});

const kinds = limitedKeys('matrix');
const keys = new Map<LimitedKey, AccessKeyPair>();
let owner: AccessKeyPair;
let place: MatrixFixture;
const count = { denied: 0, allowed: 0 };

beforeAll(async () => {
  const { deployment, at, server, database } = own;
  const account = await createParent(deployment.environment);
  owner = account;
  const sibling = await newChild(account, at);
  await createBucket(server.url, account, 'matrix');
  place = placeOf('matrix', String(sibling.uid));
  await database.bindDomain(place.domain, place.bucket);
  for (const kind of kinds) {
    // The key is of a kind that may make account calls: it is the limits that forbid them.
    const limits = encodeURIComponent(JSON.stringify(kind.limits));
    const form = { target: '/v1/user/create_key', body: `kind=root&limits=${limits}` };
    const made = await secureSend(form, authorize(form, { url: at.url, keys: owner }), at);
    const { key, secret } = made.json() as { key: string; secret: string };
    keys.set(kind, { accessKey: key, secretKey: secret });
  }
  await putObject();
  const form = { target: '/private', body: 'bucket=matrix&private=1' };
  expect((await secureSend(form, authorize(form, { url: at.url, keys: owner }), at)).status).toBe(200);
});

async function putObject(): Promise<void> {
  const token = uploadToken(owner, { scope: 'matrix:k' });
  expect((await uploadForm(own.server.url, 'hello', { token, key: 'k' })).status).toBe(200);
}

/** A call that looks at the limits at all refuses what is too late or from elsewhere as a whole. */
function isRefusedAsAWhole({ limit }: LimitedKey): boolean {
  return limit === 'expiresAt' || limit === 'networks';
}

function refusalIn(answer: RawResponse): string {
  const body = answer.json() as Record<string, string> | { data: Record<string, string> }[];
  const { hint, error_description: description } = Array.isArray(body) ? (body[0]?.data ?? {}) : body;
  return hint ?? description ?? '';
}

/** The answer must be this; or, if the limits forbid the call, this refusal. */
function expectedOf(
  { asks, errors, expected }: Row & { errors: string },
  kind: LimitedKey,
): [string, boolean] {
  const own = expected['the root key of the owner'];
  if (asks?.of === 'open') return [own, true];
  if (asks !== undefined && kind.allows(asks)) return [own, true];
  const refused = isRefusedAsAWhole(kind) ? undefined : asks?.refused;
  return [refused ?? errors, false];
}

describe.each(rows)('$role $methods $path', (row) => {
  // Account calls have their own table of errors.
  const isAccountCall = row.expected['a wrong signature'] === '401 #11';
  const errors = isAccountCall ? '401 #15' : '403 the access key is limited';

  test.each(row.methods.split(','))('%s', async (method) => {
    const tryWith = async (kind: LimitedKey): Promise<void> => {
      const [expected, isAllowed] = expectedOf({ ...row, errors }, kind);
      const visitor = { keys: keys.get(kind) as AccessKeyPair };
      const answer = await visit(row, method, visitor, place, own.at);
      const shown = method === 'HEAD' ? expected.split(' ')[0] : expected;
      expect(written(answer), `a key limited to ${kind.name}`).toBe(shown);
      count[isAllowed ? 'allowed' : 'denied']++;
      if (!isAllowed && method !== 'HEAD' && row.asks !== undefined)
        expect(refusalIn(answer)).toContain(`limit ${kind.limit}: `);
    };
    if (!row.asks?.actions.includes('delete')) {
      await Promise.all(kinds.map(tryWith));
      return;
    }
    for (const kind of kinds) {
      await putObject();
      await tryWith(kind);
    }
  });
});

test('200 forbidden calls and more were refused, and what is allowed was allowed [key-limit-01 key-limit-02]', () => {
  expect(count.denied).toBeGreaterThan(200);
  expect(count.allowed).toBeGreaterThan(200);
  console.info(`${count.denied} calls of limited keys refused, ${count.allowed} allowed`);
});
