/** Bringing back what a key had last, while it is kept. */
import type { Action, SystemUnderTest } from '../command.ts';
import { settleByReading } from '../command.ts';
import { heldAt, type Model, type ObjectRef, spaceOf, type Trashed } from '../state.ts';
import type { WireResponse } from '../wire.ts';
import { place, placeWords } from './arbitrary.ts';

/** Well before the collector takes it. */
const GRACE_PERIOD_MS = 15_000;

interface TrashPage {
  readonly items: readonly { readonly id: string; readonly key: string; readonly hash: string }[];
}

export const undeletions = place.map(
  (at): Action => ({
    kind: 'undelete',
    words: `undelete ${placeWords(at)}`,
    isPossible: (model) => Date.now() - (lastOf(model, at)?.at ?? 0) < GRACE_PERIOD_MS,
    predict(model) {
      const last = lastOf(model, at);
      if (last === undefined) throw new Error('nothing was deleted');
      if (heldAt(model, at) !== undefined)
        return { status: 200, check: (answer) => wrongOutcome(answer, true) };
      return {
        status: 200,
        check: (answer) => wrongOutcome(answer, false),
        atoms: [[{ at, held: { ...last.held, restore: 'frozen' }, way: 'undelete' }]],
        after: () => take(model, at),
      };
    },
    async send(model, system) {
      const { name } = spaceOf(model, at);
      const { id, hash } = await listed(model, system, at);
      const expected = lastOf(model, at)?.held.hash;
      if (hash !== expected) throw new Error(`the trash has ${hash} last instead of ${expected}`);
      return system.wire.signed(`/v1/trash/${name}/undelete`, { body: JSON.stringify({ ids: [id] }) });
    },
    async settle(model, system, { atoms = [] }) {
      const isFree = heldAt(model, at) === undefined;
      await settleByReading(model, system, atoms);
      if (isFree && heldAt(model, at) !== undefined) take(model, at);
    },
  }),
);

/** What the key had last. */
async function listed(
  model: Model,
  system: SystemUnderTest,
  at: ObjectRef,
): Promise<TrashPage['items'][number]> {
  const target = `/v1/trash/${spaceOf(model, at).name}?prefix=${encodeURIComponent(at.key)}`;
  const answer = await system.wire.signed(target, { method: 'GET' });
  if (answer.status !== 200) throw new Error(`the trash was answered ${answer.status}`);
  const { items } = JSON.parse(answer.body.toString()) as TrashPage;
  const found = items.find(({ key }) => key === at.key);
  if (found === undefined) throw new Error('what was deleted is not in the trash');
  return found;
}

function wrongOutcome(answer: WireResponse, isRefused: boolean): string | undefined {
  const [item] = (JSON.parse(answer.body.toString()) as { items: { error?: string }[] }).items;
  if ((item?.error !== undefined) === isRefused) return undefined;
  return isRefused ? 'it came back over what is there' : `it did not come back: ${item?.error}`;
}

function lastOf(model: Model, at: ObjectRef): Trashed | undefined {
  return spaceOf(model, at).trash.get(at.key)?.at(-1);
}

function take(model: Model, { bucket, key }: ObjectRef): void {
  const { trash } = spaceOf(model, { bucket });
  trash.set(key, (trash.get(key) ?? []).slice(0, -1));
}
