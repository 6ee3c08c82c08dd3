/** Copies and moves, onto nothing, onto others, and onto themselves. */
import fc from 'fast-check';
import type { AtomicChanges } from '../changes.ts';
import { heldAt, isReadable, spaceOf } from '../state.ts';
import { entryOf } from '../wire.ts';
import { place, placeWords } from './arbitrary.ts';
import { operation } from './operation.ts';

export const relocations = fc
  .record({
    kind: fc.constantFrom('copy' as const, 'move' as const),
    from: place,
    to: place,
    force: fc.boolean(),
  })
  .map(({ kind, from, to, force }) =>
    operation({
      kind,
      words: `${kind} ${placeWords(from)} to ${placeWords(to)}${force ? ' by force' : ''}`,
      predict(model) {
        if (!spaceOf(model, from).exists || !spaceOf(model, to).exists) return { status: 631 };
        const held = heldAt(model, from);
        if (held === undefined) return { status: 612 };
        const isItself = from.bucket === to.bucket && from.key === to.key;
        if (isItself) return { status: force ? 200 : 614 };
        if (!isReadable(held)) return { status: 403 };
        if (heldAt(model, to) !== undefined && !force) return { status: 614 };
        const copy = { ...held, expires: false, restore: 'frozen' as const };
        const atom: AtomicChanges =
          kind === 'copy'
            ? [{ at: to, held: copy, way: 'copy' }]
            : [
                { at: from, held: undefined, way: 'move' },
                { at: to, held, way: 'move' },
              ];
        return { status: 200, atoms: [atom] };
      },
      target: (model) =>
        `/${kind}/${entryOf(model, from)}/${entryOf(model, to)}${force ? '/force/true' : ''}`,
    }),
  );
