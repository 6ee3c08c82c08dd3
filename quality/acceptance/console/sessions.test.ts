/** Signing in at the console, the calls of a session, and the ends of sessions. */
import { formatEntry } from '@millpond/protocol';
import {
  type ConsoleUser,
  consoleSend,
  createBucket,
  signIn,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { newChild, type Person, userCall } from '../support/accounts/accounts.ts';
import { auditOf, createParent, operate } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

const { console: at } = target;
let person: Person;
let user: ConsoleUser;
let bucket: string;

beforeAll(async () => {
  person = await createParent();
  user = await signIn(at, person);
  bucket = `console-${person.uid}`;
  await createBucket(target.url, person, bucket);
  const token = uploadToken(person, { scope: `${bucket}:a b.txt` });
  expect((await uploadForm(target.url, 'hello', { token, key: 'a b.txt' })).status).toBe(200);
});

const isEnded = async (session: ConsoleUser) => (await session.send('/session')).status === 401;
const ended = (session: ConsoleUser) => expect.poll(() => isEnded(session)).toBe(true);
/** A key with limits, or without, of kind `user`. */
async function userKey(limits: object): Promise<string> {
  const made = await userCall('create_key', { kind: 'user', limits: JSON.stringify(limits) }, person);
  return (made.json() as { key: string }).key;
}

test('a session says who it is, and is the same everywhere [session-01]', async () => {
  expect(user.state).toMatchObject({
    email: person.email,
    uid: person.uid,
    parentUid: 0,
    operator: false,
    how: 'password',
    hosts: { io: target.secure.url, up: target.secure.url, s3: target.s3.secureUrl },
  });
  expect(Math.abs(Date.now() - user.state.now)).toBeLessThan(3_600_000);
  expect((await user.send('/session')).json()).toMatchObject({ id: user.state.id });
  const options = await consoleSend(at, '/session/options');
  expect(options.json()).toMatchObject({ oidc: [], plainHttp: false, region: user.state.region });
});

test('takes the place of a signature, in calls of every role [session-02]', async () => {
  const stat = await user.call('rs', `/stat/${formatEntry(bucket, 'a b.txt')}`);
  expect(stat.json()).toMatchObject({ fsize: 5 });
  const info = await user.call('api', '/v1/user/info', { method: 'POST' });
  expect(info.json()).toMatchObject({ uid: person.uid, email: person.email });
  const list = await user.call('rsf', `/list?bucket=${bucket}`);
  expect(list.json()).toMatchObject({ items: [{ key: 'a b.txt' }] });
  expect((await user.call('uc', `/v2/bucketInfo?bucket=${bucket}`)).status).toBe(200);
  expect((await user.call('live', '/v1/namespaces')).status).toBe(200);
  const read = await user.call('io', `/${bucket}/a%20b.txt`, { headers: { range: 'bytes=1-2' } });
  expect([read.status, read.text(), read.header('cache-control')]).toEqual([206, 'el', 'private, no-cache']);
  // The parts of an upload are as anywhere: by a token.
  const entry = Buffer.from('part.txt').toString('base64url');
  const begun = await user.call('up', `/buckets/${bucket}/objects/${entry}/uploads`, {
    method: 'POST',
    headers: { authorization: `UpToken ${uploadToken(person, { scope: bucket })}` },
  });
  expect(begun.json()).toMatchObject({ uploadId: expect.any(String) });
});

test('nothing is answered without one, nor under paths that are no call [session-02]', async () => {
  const refused = await consoleSend(at, '/call/rs/stat/x');
  expect([refused.status, refused.header('x-millpond-session')]).toEqual([401, 'none']);
  expect(
    (await consoleSend(at, '/call/io/x/y', { headers: { cookie: '__Host-millpond-session=x' } })).status,
  ).toBe(401);
  for (const path of ['/call/s3/', '/call/auth/oauth2/token', '/call/rs/nothing', '/call', '/session/x'])
    expect([(await user.send(path)).status, path]).toEqual([404, path]);
  // Nor does any other host answer for the console.
  expect((await fetch(`${target.url}/session`)).status).toBe(404);
});

test('private objects of the account are read without a signed URL, and nobody else’s at all [session-03]', async () => {
  const stranger = await createParent();
  await userCall('info', {}, stranger);
  const own = `private-${person.uid}`;
  await createBucket(target.url, person, own);
  const made = await user.call('uc', '/private', { method: 'POST', body: `bucket=${own}&private=1` });
  expect(made.status).toBe(200);
  const token = uploadToken(person, { scope: own });
  await uploadForm(target.url, 'secret', { token, key: 'k' });
  expect((await fetch(`${target.url}/${own}/k`)).status).toBe(401);
  expect((await user.call('io', `/${own}/k`)).text()).toBe('secret');
  const other = await signIn(at, stranger);
  const [theirs, nobodys] = [
    await other.call('io', `/${own}/k`),
    await other.call('io', '/no-such-bucket/k'),
  ];
  expect([theirs.status, theirs.text()]).toEqual([nobodys.status, nobodys.text()]);
  // Even what is public is not on this origin.
  expect((await other.call('io', `/${bucket}/a%20b.txt`)).status).toBe(404);
});

test('with a key’s name it has the rights of that key, until the key is disabled [session-04]', async () => {
  const accessKey = await userKey({ buckets: [bucket], actions: ['read', 'list'] });
  const limited = await signIn(at, { ...person, accessKey });
  expect(limited.state).toMatchObject({ accessKey, operator: false, limits: { buckets: [bucket] } });
  expect((await limited.call('io', `/${bucket}/a%20b.txt`)).status).toBe(200);
  expect((await limited.call('rsf', `/list?bucket=${bucket}`)).status).toBe(200);
  const deleting = await limited.call('rs', `/delete/${formatEntry(bucket, 'a b.txt')}`, { method: 'POST' });
  expect([deleting.status, deleting.json()]).toEqual([
    403,
    expect.objectContaining({ error: 'the access key is limited' }),
  ]);
  expect((await limited.call('api', '/v1/user/keys')).status).toBe(401);
  expect((await limited.call('io', `/private-${person.uid}/k`)).status).toBe(403);
  await userCall('disable_key', { key: accessKey }, person);
  await ended(limited);
  await expect(signIn(at, { ...person, accessKey })).rejects.toThrow('401');
  await expect(signIn(at, { ...person, accessKey: target.account.accessKey })).rejects.toThrow('401');
});

test('sessions are listed and ended: one, all others, and by signing out [session-05]', async () => {
  const owner = await createParent();
  const [first, second, third] = [await signIn(at, owner), await signIn(at, owner), await signIn(at, owner)];
  const listed = await first.call('api', '/v1/sessions');
  const { items } = listed.json() as { items: { id: string; current: boolean }[] };
  expect(items.map(({ id }) => id).toSorted()).toEqual(
    [first, second, third].map(({ state }) => state.id).toSorted(),
  );
  expect(items.filter(({ current }) => current).map(({ id }) => id)).toEqual([first.state.id]);
  expect(listed.text()).not.toContain(first.cookie.split('=')[1]);
  expect((await user.call('api', `/v1/sessions/${second.state.id}`, { method: 'DELETE' })).status).toBe(400);
  expect((await first.call('api', `/v1/sessions/${second.state.id}`, { method: 'DELETE' })).status).toBe(200);
  expect(await isEnded(second)).toBe(true);
  expect((await first.call('api', '/v1/sessions', { method: 'DELETE' })).status).toBe(200);
  expect([await isEnded(third), await isEnded(first)]).toEqual([true, false]);
  const out = await first.send('/session', { method: 'DELETE' });
  expect([out.status, out.header('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age=0')]);
  expect(await isEnded(first)).toBe(true);
  expect((await auditOf(first.state.id)).map(({ action }) => action)).toEqual([
    'session.end',
    'session.begin',
  ]);
});

test('a new password, or a disabled account, ends all of them [session-06]', async () => {
  const owner = await createParent();
  const [child, before] = [await newChild(owner), await signIn(at, owner)];
  const ofChild = await signIn(at, child);
  await operate(['account', 'password', owner.email], target.environment, 'another password\n');
  await ended(before);
  await expect(signIn(at, owner)).rejects.toThrow('401');
  const again = await signIn(at, { ...owner, password: 'another password' });
  expect(await isEnded(ofChild)).toBe(false);
  await userCall('disable_child', { uid: String(child.uid), reason: 'r' }, owner);
  await ended(ofChild);
  await userCall('enable_child', { uid: String(child.uid) }, owner);
  // It was ended, not only refused.
  expect(await isEnded(ofChild)).toBe(true);
  await operate(['account', 'close', owner.email]);
  await ended(again);
});

test('the command line lists and ends them, for operators [session-05]', async () => {
  const owner = await createParent();
  const session = await signIn(at, owner);
  expect(JSON.parse(await operate(['session', 'list', owner.email, '--json']))).toMatchObject({
    id: session.state.id,
  });
  await operate(['session', 'end', session.state.id, '--account', owner.email]);
  await ended(session);
});

test('an operator acts for any account, and it is written down [operator-04 console-06]', async () => {
  const operator = await signIn(at, at.operator);
  expect(operator.state.operator).toBe(true);
  const headers = { 'x-millpond-account': String(person.uid) };
  expect((await operator.call('io', `/${bucket}/a%20b.txt`, { headers })).status).toBe(200);
  // A picture's request says nothing of an account; one that names another account is not for this one's.
  expect((await operator.call('io', `/${bucket}/a%20b.txt`)).status).toBe(200);
  const another = { 'x-millpond-account': String((await createParent()).uid) };
  expect((await operator.call('io', `/${bucket}/a%20b.txt`, { headers: another })).status).toBe(404);
  const path = `/chgm/${formatEntry(bucket, 'a b.txt')}/mime/${Buffer.from('text/x').toString('base64url')}`;
  expect((await operator.call('rs', path, { method: 'POST', headers })).status).toBe(200);
  const [row] = await auditOf(`POST /rs${path}`);
  expect(row).toMatchObject({
    action: 'console.call',
    result: 'ok',
    actor: `console:${at.operator.email} for ${person.uid}`,
  });
  const refused = await user.call('rs', `/stat/${formatEntry(bucket, 'a b.txt')}`, { headers });
  expect(refused.status).toBe(403);
  for (const uid of ['x', '', '-1', '999999999999'])
    expect((await operator.call('uc', '/buckets', { headers: { 'x-millpond-account': uid } })).status).toBe(
      400,
    );
});

test('a change that is refused is written down too, and one with a row of its own only once [console-06]', async () => {
  const path = `/delete/${formatEntry(bucket, 'not there')}`;
  expect((await user.call('rs', path, { method: 'POST' })).status).toBe(612);
  expect(await auditOf(`POST /rs${path}`)).toMatchObject([
    { result: 'noSuchEntry', actor: `console:${person.email}` },
  ]);
  const made = await user.call('api', '/v1/user/create_key', { method: 'POST', body: 'kind=user' });
  const { key } = made.json() as { key: string };
  expect(await auditOf(key)).toMatchObject([{ action: 'key.create', actor: `console:${person.email}` }]);
  await expect(signIn(at, { ...person, password: 'wrong' })).rejects.toThrow('401');
  const [refused] = await auditOf(person.email);
  expect(refused).toMatchObject({ action: 'session.begin', result: 'failedAuthentication' });
});
