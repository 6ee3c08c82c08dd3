/**
 * Every route that the console offers on its own origin, made by sessions, against the same table as with keys: a session may do what
 * its account, or its key, may do, and nobody without one may do anything.
 */
import { FORM_TYPE } from '@millpond/protocol';
import {
  type Account,
  type ConsoleResponse,
  type ConsoleUser,
  consoleSend,
  createBucket,
  signIn,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Column, type MatrixFixture, type Row, rows } from '../support/accounts/access-matrix/index.ts';
import { NO_FILE } from '../support/accounts/access-matrix/row.ts';
import { placeOf, written } from '../support/accounts/access-matrix/visit.ts';
import { newChild } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const own = useSecureDeployment({
  // A submit that no worker can run is refused.
  MILLPOND_MEDIA_SLOTS: '1',
  MILLPOND_DOWNLOAD_SUFFIX: 'dl.example.test',
  MILLPOND_HOSTS: 'io=io.example.test',
});
const FORWARDED = ['rs', 'rsf', 'uc', 'api', 'live', 'io'];
const COLUMNS = [
  'the root key of the owner',
  "another account's key",
  "a child's key",
  'a user key of the owner',
] as const satisfies Column[];

let owner: Account;
let users: Record<(typeof COLUMNS)[number], ConsoleUser>;
let place: MatrixFixture;

beforeAll(async () => {
  const { deployment, at, server, console: place_ } = own;
  const [parent, stranger] = [
    await createParent(deployment.environment),
    await createParent(deployment.environment),
  ];
  const [child, sibling] = [await newChild(parent, at), await newChild(parent, at)];
  const { accessKey } = JSON.parse(
    await deployment.run('key', 'create', parent.email, '--kind', 'user', '--json'),
  ) as Account;
  owner = parent;
  await createBucket(server.url, parent, 'matrix');
  place = placeOf('matrix', String(sibling.uid));
  users = {
    'the root key of the owner': await signIn(place_, parent),
    "another account's key": await signIn(place_, stranger),
    "a child's key": await signIn(place_, child),
    'a user key of the owner': await signIn(place_, { ...parent, accessKey }),
  };
  const body = 'bucket=matrix&private=1';
  const answer = await users['the root key of the owner'].call('uc', '/private', { method: 'POST', body });
  expect(answer.status).toBe(200);
});

function ask(
  user: Pick<ConsoleUser, 'send'>,
  row: Row,
  method: string,
  where: MatrixFixture,
): Promise<ConsoleResponse> {
  const { target, body, contentType = FORM_TYPE } = row.call(where);
  return user.send(`/call/${row.role}${target}`, {
    method: method as 'GET',
    ...(body !== undefined && { body: Buffer.from(body) }),
    headers: { ...(body !== undefined && contentType !== null && { 'content-type': contentType }) },
  });
}

/** A page of the console that nobody signed in to. */
const nobody: Pick<ConsoleUser, 'send'> = {
  send: (target, sent) =>
    consoleSend(own.console, target, { ...sent, headers: { ...sent?.headers, 'x-millpond-console': '1' } }),
};

/** What the table says of keys; on this origin, objects of others are not there, public or not. */
function expectedOf({ credential, expected }: Row, column: Column): string {
  if (credential !== 'url') return expected[column];
  return column === "another account's key" || column === "a child's key" ? NO_FILE : expected[column];
}

const isOfSession = ({ role, path, credential }: Row) =>
  FORWARDED.includes(role) && !path.startsWith('/~') && (credential === 'header' || credential === 'url');
/** One that would end the session of the next visitor is tried in sessions.test.ts. */
const asked = rows.filter(
  (row) => isOfSession(row) && !(row.path === '/v1/sessions' && row.methods === 'DELETE'),
);

test('most routes of the table are calls of the console', () => {
  expect(asked.length).toBeGreaterThan(120);
});

test.each(asked)('$role $methods $path', async (row) => {
  for (const method of row.methods.split(',').filter((name) => name !== 'OPTIONS')) {
    for (const column of COLUMNS) {
      const token = uploadToken(owner, { scope: 'matrix:k' });
      expect((await uploadForm(own.server.url, 'hello', { token, key: 'k' })).status).toBe(200);
      const answer = await ask(users[column], row, method, place);
      const expected = expectedOf(row, column);
      const shown = method === 'HEAD' ? String(answer.status) : written(rawOf(answer));
      expect([column, shown]).toEqual([column, method === 'HEAD' ? expected.split(' ')[0] : expected]);
    }
    const answer = await ask(nobody, row, method, place);
    expect([answer.status, answer.header('x-millpond-session')]).toEqual([401, 'none']);
  }
});

function rawOf(answer: ConsoleResponse): Parameters<typeof written>[0] {
  return { ...answer, headers: [], body: answer.bytes };
}
