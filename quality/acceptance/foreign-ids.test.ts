/** Whatever is called by an id: with that of another account every call answers as with one that nobody has. */
import type { Account } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Row, rows } from './support/accounts/access-matrix/index.ts';
import { newChild, type Person } from './support/accounts/accounts.ts';
import { createParent } from './support/accounts/operator.ts';
import { type Ids, lookups, makeOwned, NOBODYS, withIds } from './support/accounts/owned.ts';
import type { RawResponse } from './support/raw.ts';
import { secureSigned } from './support/running/secure.ts';
import { useSecureDeployment } from './support/running/secure-deployment.ts';
import type { Call } from './support/signing.ts';

const own = useSecureDeployment({
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  // A submit that no worker can run is refused.
  MILLPOND_MEDIA_SLOTS: '1',
});
const LIVE_BODY = '{"streamId":"s","files":[],"operations":[{"op":"replace","key":"desc","value":""}]}';
const WHO = ['a stranger', 'a child of the owner'] as const;
type Who = (typeof WHO)[number];

let owner: Person;
let ids: Ids;
let others: Record<Who, { readonly keys: Account; readonly mine: Ids }>;

beforeAll(async () => {
  const { deployment, at } = own;
  owner = await createParent(deployment.environment);
  const [stranger, child] = [await createParent(deployment.environment), await newChild(owner, at)];
  // Before the owner's, so that something of theirs would come after the owner's.
  others = {
    'a stranger': { keys: stranger, mine: await makeOwned(own, stranger, 'of-a-stranger') },
    'a child of the owner': { keys: child, mine: await makeOwned(own, child, 'of-a-child') },
  };
  ids = await makeOwned(own, owner, 'of-the-owner');
});

const ask = (call: Call, keys: Account): Promise<RawResponse> => secureSigned(call, { keys, at: own.at });

/** All of an answer that may be compared: the id itself, and what differs from one request to the next, are left out. */
function comparable(answer: RawResponse, asked: Ids): unknown {
  const named = Object.values(asked).filter((id) => id.length > 5);
  const body = named.reduce((text, id) => text.replaceAll(id, '<id>'), answer.text());
  const headers = answer.headers.filter(
    ([name]) => name !== 'x-reqid' && name !== 'date' && name !== 'content-length',
  );
  return { status: answer.status, headers, body };
}

async function expectSame(call: (asked: Ids, mine: Ids) => Call, who: Who): Promise<void> {
  const { keys, mine } = others[who];
  const theirs = await ask(call(ids, mine), keys);
  const nobodys = await ask(call(NOBODYS, mine), keys);
  expect(comparable(theirs, ids)).toEqual(comparable(nobodys, NOBODYS));
}

const withPaths = rows.filter((row) => withIds(row, NOBODYS) !== undefined);

/** What a route needs besides its path. */
function callOf(row: Row, asked: Ids): Call {
  const target = withIds(row, asked) ?? '';
  if (row.methods === 'GET') return { method: 'GET', target };
  if (row.role === 'live')
    return { method: row.methods, target, body: LIVE_BODY, contentType: 'application/json' };
  return { method: row.methods, target };
}

test('routes with ids in their paths are all there are', () => {
  const known = rows.filter(({ path }) => /^\/v1\/.*:/.test(path)).map(({ path }) => path);
  const left = known.filter((path) => !withPaths.some((row) => row.path === path));
  // Names that an account gives, buckets and what hooks and players show for themselves have tables of their own; calls of
  // operators refuse every key before they look at an id.
  for (const path of left) expect(path).toMatch(/^\/v1\/(workflows|pipelines|buckets|play|hooks|operator)\//);
  expect(withPaths.length).toBeGreaterThan(40);
});

describe.each(WHO)('with ids of another account, %s is answered as with ids that nobody has', (who) => {
  test.each(withPaths)('$methods $path', (row) => expectSame((asked) => callOf(row, asked), who));

  test.each(Object.entries(lookups))('%s', (_name, call) =>
    expectSame((asked, mine) => call(asked, mine, owner), who),
  );
});

test('the owner finds each of them', async () => {
  for (const row of withPaths.filter(
    ({ methods, path }) => methods === 'GET' && !path.includes(':channel'),
  )) {
    const target = withIds(row, ids) ?? '';
    // There is no recording to play.
    const expected = target.includes('playback') ? 612 : 200;
    expect([target, (await ask({ method: 'GET', target }, owner)).status]).toEqual([target, expected]);
  }
  const found = ['deliveries of an endpoint', 'the state of a fetch', 'tasks of a bucket'];
  for (const [name, call] of Object.entries(lookups).filter(([each]) => found.includes(each))) {
    const theirs = await ask(call(ids, ids, owner), owner);
    const nobodys = await ask(call(NOBODYS, ids, owner), owner);
    expect([name, theirs.status]).toEqual([name, 200]);
    expect(theirs.text()).not.toBe(nobodys.text());
  }
});
