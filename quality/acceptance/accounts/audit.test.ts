/** The audit log as an account sees it: its own acts and its children's, page by page. */
import { beforeAll, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import { logIn, newChild, type Person, userCall } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { secureSigned } from '../support/running/secure.ts';

interface Pair {
  readonly accessKey: string;
  readonly secretKey: string;
}

interface AuditPage {
  readonly items: readonly Record<string, unknown>[];
  readonly marker?: string;
}

let parent: Awaited<ReturnType<typeof createParent>>;
let child: Person;

const log = (keys: Pair, query: string) =>
  secureSigned({ method: 'GET', target: `/v1/audit${query}` }, { keys });
const actions = async (keys: Pair, query = '') =>
  ((await log(keys, query)).json() as AuditPage).items.map(({ action }) => action);

beforeAll(async () => {
  parent = await createParent();
  child = await newChild(parent);
  await userCall('create_key', { kind: 'user' }, child);
  await logIn({ email: child.email, password: 'wrong' });
});

test('a parent sees its acts and those of its children, a child and a stranger their own [acts-01]', async () => {
  expect(await actions(parent)).toEqual(['token.password', 'key.create', 'child.keys', 'child.create']);
  expect(await actions(child)).toEqual(['token.password', 'key.create']);
  expect(await actions(await createParent())).toEqual([]);
});

test('an entry says who did what, from where, with which request, and how it ended [acts-02]', async () => {
  const answer = await log(child, '');
  expectUnstored(answer);
  const { items } = answer.json() as AuditPage;
  expect(items).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      action: 'token.password',
      result: 'failedAuthentication',
      actor: child.email,
      uid: child.uid,
      address: '127.0.0.1',
      target: child.email,
      reqid: expect.stringMatching(/./),
    },
    expect.objectContaining({ result: 'ok', actor: child.accessKey, action: 'key.create' }),
  ]);
});

test('pages continue where the last one ended, and filters select [acts-03]', async () => {
  const seen: unknown[] = [];
  for (let marker = ''; ; ) {
    const page = (await log(parent, `?limit=3${marker}`)).json() as AuditPage;
    seen.push(...page.items.map(({ action }) => action));
    if (page.marker === undefined) break;
    marker = `&marker=${encodeURIComponent(page.marker)}`;
  }
  expect(seen).toEqual(await actions(parent));
  expect(await actions(parent, `?target=${encodeURIComponent(child.email)}`)).toEqual([
    'token.password',
    'child.keys',
    'child.create',
  ]);
  expect(await actions(parent, `?actor=${parent.accessKey}&action=child.keys`)).toEqual(['child.keys']);
  expect(await actions(parent, '?until=2026-01-01')).toEqual([]);
  const [{ reqid } = {}] = ((await log(parent, '?action=child.create')).json() as AuditPage).items;
  expect(await actions(parent, `?reqid=${String(reqid)}`)).toEqual(['child.create']);
  expect(await actions(child, `?reqid=${String(reqid)}`)).toEqual([]);
});

test('what is no time, no marker or too many is refused', async () => {
  for (const query of [
    '?since=yesterday',
    '?marker=1',
    '?marker=x.1',
    '?limit=1001',
    '?limit=0',
    '?action=%00',
  ])
    expectAccountError(await log(parent, query), 8);
});

const cli = useCommandLine();

test('by the library and the command line [acts-03]', async () => {
  const client = sdkClient();
  const { uid } = await client.accounts.info();
  const { key } = await client.accounts.createKey({ limits: { actions: ['read'] } });
  const [entry] = await collected(client.accounts.audit({ target: key }));
  expect(entry).toMatchObject({ action: 'key.create', result: 'ok', uid });
  expect(await cli.json(['audit', '--at', ':', '--target', key])).toMatchObject([
    { action: 'key.create', actor_uid: uid, target: key },
  ]);
  expect(await cli.run(['audit', '--at', ':', '--account', child.email])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('for operators'),
  });
});
