import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { statement } from '../../platform/db/database.ts';
import { AccountStore } from './accounts.store.ts';
import { Audit, type AuditCursor, type AuditFilter, type NewAuditEntry } from './audit.store.ts';

const databases = useDatabases();
let audit: Audit;
let [parent, child, stranger] = [0n, 0n, 0n];

beforeAll(async () => {
  audit = new Audit(databases.control);
  const account = async (parentUid: bigint) => {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const { control } = databases;
    return (
      (await new AccountStore(control).insert({ email, parentUid, passwordHash: undefined }, control))?.uid ??
      0n
    );
  };
  [parent, stranger] = [await account(0n), await account(0n)];
  child = await account(parent);
});

function act(actorUid: bigint | undefined, target: string, more: Partial<NewAuditEntry> = {}): Promise<void> {
  const plain = { action: 'key.disable', result: 'ok', actor: 'a', address: 'local', reqid: '' } as const;
  return audit.record({ ...plain, actorUid, target, ...more });
}

/** All targets of what is found, in pages of this size. */
async function targets(filter: AuditFilter, limit = 2): Promise<string[]> {
  const found: string[] = [];
  for (let after: AuditCursor | undefined; ; ) {
    const { rows, next } = await audit.page(filter, limit, after);
    found.push(...rows.map(({ target }) => target));
    if (next === undefined) return found;
    after = next;
  }
}

test('a parent sees its own acts and those of its children, a child only its own, newest first', async () => {
  for (const [index, uid] of [parent, child, stranger, parent, child, undefined, child].entries())
    await act(uid, `t${index}`);
  expect(await targets({ uid: parent })).toEqual(['t6', 't4', 't3', 't1', 't0']);
  expect(await targets({ uid: child })).toEqual(['t6', 't4', 't1']);
  expect(await targets({ uid: stranger })).toEqual(['t2']);
});

test('filters agree, whichever of them finds the rows', async () => {
  const reqid = randomBytes(6).toString('hex');
  await act(stranger, 'one', { action: 'key.enable', reqid, actor: 'x' });
  await act(stranger, 'two', { action: 'key.enable', reqid, actor: 'y' });
  await act(parent, 'two', { action: 'key.enable', reqid, actor: 'y' });
  await act(stranger, 'two', { action: 'key.limit' });
  expect(await targets({ reqid })).toEqual(['two', 'two', 'one']);
  expect(await targets({ uid: stranger, reqid })).toEqual(['two', 'one']);
  expect(await targets({ uid: stranger, action: 'key.enable', target: 'two' })).toEqual(['two']);
  expect(await targets({ target: 'two', action: 'key.limit' })).toEqual(['two']);
  expect(await targets({ uid: stranger, actor: 'x' })).toEqual(['one']);
  expect(await targets({ uid: stranger, action: 'key.create' })).toEqual([]);
  const [entry] = (await audit.page({ reqid, actor: 'x' }, 1)).rows;
  expect(entry).toMatchObject({ actor_uid: stranger, result: 'ok', address: 'local', reqid });
});

test('a time is a bound: since it, and before it', async () => {
  const { rows } = await audit.page({ uid: parent }, 3);
  const [newest, , oldest] = rows;
  expect(await targets({ uid: parent, since: new Date((newest?.at.getTime() ?? 0) + 1) })).toEqual([]);
  const until = await audit.page({ uid: parent, until: oldest?.at ?? new Date() }, 10);
  expect(until.rows.map(({ audit_id }) => audit_id)).not.toContain(oldest?.audit_id);
});

describe('in a long log', () => {
  const fill = statement(
    'test-fill-audit',
    `INSERT INTO control.audit (at, action, result, actor_uid, actor, address, target, reqid, actor_parent_uid)
     SELECT now() + n * interval '1 ms', 'token.refresh', 'ok', $1, 'filler', 'local', 'refresh token', '', null
     FROM generate_series(1, 25000) n`,
  );

  test('a page looks at so many rows and no more, and its marker leads on to what is found later', async () => {
    // All of them are newer than what the tests before have recorded.
    await databases.control.query(fill, [stranger]);
    const rare = { uid: stranger, action: 'key.limit' };
    const first = await audit.page(rare, 10);
    expect(first.rows).toHaveLength(0);
    expect(first.next).toBeDefined();
    expect(await targets({ uid: stranger, target: 'refresh token' }, 1000)).toHaveLength(25_000);
    expect(await targets(rare)).toEqual(['two']);
  });
});
