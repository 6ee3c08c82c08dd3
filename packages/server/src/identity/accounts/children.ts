/** The child accounts of a parent, as managed by the parent. */
import { Fault, type WireRecord } from '@millpond/protocol';
import {
  type AccountChangeDeps,
  type Actor,
  auditActorFields,
  insertAccount,
  requireAccount,
  setAccountDisabled,
} from './account-changes.ts';
import type { AccountRow } from './accounts.store.ts';
import { keyState } from './keys/keys.ts';

export interface ChildrenDeps extends AccountChangeDeps {
  /** Maximum number of children of one parent. */
  readonly maxChildren?: number | undefined;
}

export class Children {
  readonly #deps: ChildrenDeps;

  constructor(deps: ChildrenDeps) {
    this.#deps = deps;
  }

  /** A child can't have children: the caller must be a parent. */
  async create(parentUid: bigint, email: string, password: string, actor: Actor): Promise<AccountRow> {
    const { maxChildren, store } = this.#deps;
    // Before the password is hashed, which costs far more. Calls at the same moment may exceed it by a few.
    if (maxChildren !== undefined && (await store.hasChildren(parentUid, maxChildren)))
      throw new Fault('failedRequest', {
        hint: `an account may have at most ${maxChildren} child accounts`,
      });
    return (await insertAccount(this.#deps, { email, password, parentUid }, actor, 'child.create')).account;
  }

  list(parentUid: bigint, offset: number, limit: number): Promise<AccountRow[]> {
    return this.#deps.store.children(parentUid, offset, limit);
  }

  async setDisabled(
    parentUid: bigint,
    uid: bigint,
    isDisabled: boolean,
    reason: string | undefined,
    actor: Actor,
  ): Promise<AccountRow> {
    const child = requireAccount(await this.#deps.store.child(parentUid, uid));
    const action = isDisabled ? 'child.disable' : 'child.enable';
    return setAccountDisabled(this.#deps, child, { isDisabled, by: 'parent' }, reason, actor, action);
  }

  /** A child's keys with their secrets, for the parent acting on its behalf. */
  async keys(
    parentUid: bigint,
    child: { uid: bigint } | { email: string },
    actor: Actor,
  ): Promise<WireRecord<'ChildKeys'>> {
    const { store, keys, audit } = this.#deps;
    const row = 'uid' in child ? await store.child(parentUid, child.uid) : await store.byEmail(child.email);
    if (row === undefined || row.parent_uid !== parentUid) throw new Fault('recordNotFound');
    // Keys with limits are for others; the parent acts with those that may do all.
    const [first, second] = (await keys.list(row.uid)).filter(({ limits }) => limits === null);
    await audit.record({ ...auditActorFields(actor), action: 'child.keys', target: row.email, result: 'ok' });
    return {
      ...(first && { key: first.access_key, secret: keys.secretOf(first), state: keyState(first) }),
      ...(second && { key2: second.access_key, secret2: keys.secretOf(second), state2: keyState(second) }),
    };
  }
}
