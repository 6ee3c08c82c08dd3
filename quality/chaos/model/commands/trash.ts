/** Bringing back what a key had last, while it is kept. */
import type { Action, Real } from '../command.ts';
import { settleByReading } from '../command.ts';
import { heldAt, type Model, type Place, spaceOf, type Trashed } from '../state.ts';
import type { Answer } from '../wire.ts';
import { place, placeWords } from './arbitrary.ts';

/** Well before the collector takes it. */
const KEPT_MS = 15_000;

interface TrashPage {
  readonly items: readonly { readonly id: string; readonly key: string; readonly hash: string }[];
}

export const undeletions = place.map(
  (at): Action => ({
    kind: 'undelete',
    words: `undelete ${placeWords(at)}`,
    isPossible: (model) => Date.now() - (lastOf(model, at)?.at ?? 0) < KEPT_MS,
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
    async send(model, real) {
      const { name } = spaceOf(model, at);
      const { id, hash } = await listed(model, real, at);
      const expected = lastOf(model, at)?.held.hash;
      if (hash !== expected) throw new Error(`the trash has ${hash} last instead of ${expected}`);
      return real.wire.signed(`/v1/trash/${name}/undelete`, { body: JSON.stringify({ ids: [id] }) });
    },
    async settle(model, real, { atoms = [] }) {
      const isFree = heldAt(model, at) === undefined;
      await settleByReading(model, real, atoms);
      if (isFree && heldAt(model, at) !== undefined) take(model, at);
    },
  }),
);

/** What the key had last. */
async function listed(model: Model, real: Real, at: Place): Promise<TrashPage['items'][number]> {
  const target = `/v1/trash/${spaceOf(model, at).name}?prefix=${encodeURIComponent(at.key)}`;
  const answer = await real.wire.signed(target, { method: 'GET' });
  if (answer.status !== 200) throw new Error(`the trash was answered ${answer.status}`);
  const { items } = JSON.parse(answer.body.toString()) as TrashPage;
  const found = items.find(({ key }) => key === at.key);
  if (found === undefined) throw new Error('what was deleted is not in the trash');
  return found;
}

function wrongOutcome(answer: Answer, isRefused: boolean): string | undefined {
  const [item] = (JSON.parse(answer.body.toString()) as { items: { error?: string }[] }).items;
  if ((item?.error !== undefined) === isRefused) return undefined;
  return isRefused ? 'it came back over what is there' : `it did not come back: ${item?.error}`;
}

function lastOf(model: Model, at: Place): Trashed | undefined {
  return spaceOf(model, at).trash.get(at.key)?.at(-1);
}

function take(model: Model, { bucket, key }: Place): void {
  const { trash } = spaceOf(model, { bucket });
  trash.set(key, (trash.get(key) ?? []).slice(0, -1));
}
